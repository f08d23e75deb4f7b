import type { VNode } from 'preact'
import { PageHeader } from '../../frame/page-header.tsx'
export function LogInPage(): VNode {
  return <PageHeader title="LogInPage" />
}
