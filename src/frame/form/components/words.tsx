import type { VNode } from 'preact'

/**
 * A text in an element of its own, which a new text replaces. Translators and other extensions put nodes of their own in the place of
 * texts: Preact would go on changing a text that is no longer in the page, or fail where one is not where it was.
 */
export function Words({ text }: { text: string | undefined }): VNode | null {
  return text ? <span key={text}>{text}</span> : null
}
