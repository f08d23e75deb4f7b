import type { VNode } from 'preact'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { appTexts } from '../../texts.ts'

/** An address without a page. */
export function NotFoundPage(): VNode {
  const { title, words, action } = appTexts.notFound
  return (
    <EmptyState icon="search" title={title} action={<ButtonLink href="/">{action}</ButtonLink>}>
      {words}
    </EmptyState>
  )
}
