import type { VNode } from 'preact'
import { PageHeader } from '../../frame/page-header.tsx'
export function TeamPage(): VNode {
  return <PageHeader title="TeamPage" />
}
