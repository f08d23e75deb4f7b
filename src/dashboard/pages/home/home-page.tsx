import type { VNode } from 'preact'
import { PageHeader } from '../../frame/page-header.tsx'

/** The first page. */
export function HomePage(): VNode {
  return <PageHeader title="Overview" />
}
