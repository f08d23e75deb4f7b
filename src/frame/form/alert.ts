import { filled } from '../language/translation.ts'
import { announce } from './announce.ts'
import { wordsOf } from './form-state.ts'
import { buttonTextOf } from './form-texts.ts'
import type { Form } from './form-view.ts'

/** Shows above the button why a submit failed; the text follows a change of language. Returns the current text. */
export function showAlert(form: Form, words: () => string, { onlyOffline = false } = {}): string {
  form.alert.value = {
    words: () => filled(words(), 'button', buttonTextOf(form, 'submit_button')),
    onlyOffline,
  }
  return form.view.alert.value
}

/** Says that what was typed is gone, as the frame was loaded again. */
export function alertReloaded(form: Form): void {
  announce(
    form,
    showAlert(form, () => wordsOf(form, 'reloaded')),
  )
}

/** Takes the alert back. */
export function clearAlert(form: Form): void {
  if (form.alert.value === null) return
  form.alert.value = null
  announce(form, '')
}

/** Call this when the device has a network connection again: an alert that it has none no longer holds. */
export function clearOfflineAlert(form: Form): void {
  if (form.alert.value?.onlyOffline === true) clearAlert(form)
}
