import { readInputs } from './field/read-inputs.ts'
import { clearAlert, showAlert } from './form/alert.ts'
import { announce } from './form/announce.ts'
import { wordsOf } from './form/form-state.ts'
import type { Form } from './form/form-view.ts'

/** Whether the page asked that nothing shows until the settings are there (`src/sdk/iframe-host/frame-element.ts`). */
export function isHiddenAtFirst({ location }: Window): boolean {
  return location.hash.startsWith('#late')
}

/** Shows the content of a document that is `late`. */
export function showContent(content: HTMLElement): void {
  content.style.display = 'flow-root'
}

/**
 * No page has welcomed the form yet. Who types, or is about to, keeps the fields, as a busy page only comes later; nobody else is to begin
 * with a form that may belong to no page.
 */
export function showLate(form: Form, content: HTMLElement): void {
  readInputs(form)
  const isUsed = [...form.inputs()].some(
    (input) => input.value !== '' || input === input.ownerDocument.activeElement,
  )
  if (!isUsed) showAbandoned(form, content)
  else if (form.alert.value === null) {
    announce(
      form,
      showAlert(form, () => wordsOf(form, 'slow'), { lasts: true }),
    )
    showContent(content)
  }
}

/** Shows that the form belongs to no page, in its place, until one welcomes it; what was typed is kept for that. */
export function showAbandoned(form: Form, content: HTMLElement): void {
  readInputs(form)
  form.isAbandoned.value = true
  showContent(content)
}

/** A page has welcomed the form, however late. */
export function showWelcomed(form: Form): void {
  form.isAbandoned.value = false
  clearAlert(form)
}
