import type { VNode } from 'preact'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { appTexts } from '../../texts.ts'

/** An address without a page. */
export function NotFoundPage(): VNode {
  const { title, reason, words, action } = appTexts.notFound
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon="search" title={reason} action={<ButtonLink href="/">{action}</ButtonLink>}>
        {words}
      </EmptyState>
    </>
  )
}
