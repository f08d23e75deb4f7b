import { h } from 'preact'
import type { VNode } from 'preact'
import type { Form } from '../form-view.ts'

const LEVELS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** The merchant's title, headings and description above the form, those that are set. */
export function Title({ form }: { form: Form }): VNode {
  const { texts = {} } = form.settings.value
  return (
    <>
      {texts.title && <h2 class="title">{texts.title}</h2>}
      {LEVELS.map((level) => texts[`title_${level}`] && h(level, { key: level }, texts[`title_${level}`]))}
      {texts.title_description && <p class="description">{texts.title_description}</p>}
    </>
  )
}
