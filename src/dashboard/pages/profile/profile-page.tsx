import type { VNode } from 'preact'
import { PageHeader } from '../../frame/page-header.tsx'
export function ProfilePage(): VNode {
  return <PageHeader title="ProfilePage" />
}
