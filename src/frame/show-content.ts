import { readInputs } from './field/read-inputs.ts'
import type { Form } from './form/form-view.ts'

/** Whether the page asked that nothing shows until the settings are there (`src/sdk/frame/frame-element.ts`). */
export function isHiddenAtFirst({ location }: Window): boolean {
  return location.hash.startsWith('#late')
}

/** Shows the content of a document that is `late`. */
export function showContent(content: HTMLElement): void {
  content.style.display = 'flow-root'
}

/** Shows that the form belongs to no page, in its place, until one welcomes it; what was typed is kept for that. */
export function showAbandoned(form: Form, content: HTMLElement): void {
  readInputs(form)
  form.isAbandoned.value = true
  showContent(content)
}
