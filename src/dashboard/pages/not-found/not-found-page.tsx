import type { VNode } from 'preact'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { PageHeader } from '../../frame/page-header.tsx'
import { appTexts } from '../../texts.ts'

/** An address without a page. */
export function NotFoundPage(): VNode {
  const { title, words, action } = appTexts.notFound
  return (
    <PageHeader title={title} actions={<ButtonLink href="/">{action}</ButtonLink>}>
      {words}
    </PageHeader>
  )
}
