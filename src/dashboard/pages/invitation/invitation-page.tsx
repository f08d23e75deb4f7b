import type { VNode } from 'preact'
import { PageHeader } from '../../frame/page-header.tsx'
export function InvitationPage(): VNode {
  return <PageHeader title="InvitationPage" />
}
