import { batch, computed, effect } from '@preact/signals'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { forEachField } from '../../contract/page/fields/field-name.ts'
import { readInputs } from '../field/read-inputs.ts'
import { moveFocusWithin } from '../move-focus.ts'
import { showAlert } from './alert.ts'
import { announce } from './announce.ts'
import { textOf, wordsOf } from './form-state.ts'
import type { Form } from './form-view.ts'
import { presetFields } from './settings-handler.ts'

const ALL = Object.values(forEachField((name) => name))

/**
 * Empties fields: their texts, what stands in their inputs, also without the form knowing of it, and what undo would bring back. Browsers
 * undo even what a script has emptied, and return to the value that an attribute has: so the inputs are new ones afterwards.
 */
export function emptyFields(form: Form, fields: readonly FieldName[]): void {
  const emptied = [...form.inputs()].filter(({ id }) => fields.some((field) => field === id))
  const focused = emptied.find((input) => input === input.ownerDocument.activeElement)
  for (const input of emptied) {
    input.value = ''
    input.removeAttribute('value')
  }
  const others = (known: ReadonlySet<FieldName>) =>
    new Set([...known].filter((field) => !fields.includes(field)))
  batch(() => {
    for (const field of fields) {
      form.texts[field].value = ''
      form.renewals[field].value += 1
      form.histories.delete(field)
      form.pendingEdits.delete(field)
      form.composing.delete(field)
      form.revealedEarly.delete(field)
    }
    for (const known of [form.filledAndLeft, form.revealed, form.refused]) known.value = others(known.peek())
  })
  if (focused) moveFocusWithin(focused.ownerDocument, focused.id)
}

/** Empties every field and removes all messages. */
export function emptyForm(form: Form): void {
  emptyFields(form, ALL)
  batch(() => {
    form.alert.value = null
    announce(form, '')
    reopen(form)
  })
}

/** Shows the fields again in the place of the card that was received, so that one can be typed in. */
export function reopen(form: Form): void {
  if (form.phase.value !== 'finished') return
  form.phase.value = 'ready'
  form.received.value = null
  announce(form, '')
}

/**
 * Whoever comes to the page by Back, or wakes it after a long time, may be somebody else: then the form is as it was before anything
 * was typed. `forget` is called whenever there is no number in the form, so that none is kept to be sent once more.
 */
export function emptyWhenLeft(form: Form, frameWindow: Window, forget: () => void): void {
  effect(() => {
    if (form.view.digits.value === '') forget()
  })
  const emptyAsNew = () => {
    emptyForm(form)
    presetFields(form, form.settings.value.values ?? {})
  }
  frameWindow.addEventListener('pageshow', () => (form.isLeft.value = false))
  frameWindow.addEventListener('pagehide', () => {
    form.isLeft.value = true
    emptyAsNew()
    for (const leave of form.whenLeft) leave()
  })
  // A browser may freeze what has been out of sight for minutes, and never wake it. A payment under way goes on when it does.
  frameWindow.document.addEventListener('freeze', () => {
    if (form.phase.value === 'processing') return
    readInputs(form)
    const wasTyped = isTyped(form)
    emptyAsNew()
    if (wasTyped) sayEmptied(form)
  })
}

/** Whether something stands in the form that the page has not put there. */
function isTyped(form: Form): boolean {
  return ALL.map((field) => ({ text: textOf(form, field), preset: form.presets.get(field) })).some(
    ({ text, preset }) => text.trim() !== '' && text !== preset,
  )
}

/**
 * Tells the page's script whether something that was typed stands in the form, as a browser that moves the frame loads its document again:
 * the new document hears of it, and can say that it has gone. Text that is cleared because the document goes counts as typed until then.
 */
export function reportTyped(form: Form, tell: (isTyped: boolean) => void): void {
  const typed = computed(() => form.phase.value !== 'finished' && isTyped(form))
  effect(() => {
    // Also when only the phase has changed: to the page, a card that was sent is done with.
    const [isNow] = [typed.value, form.phase.value]
    if (!form.isLeft.value) tell(isNow)
  })
}

/** Says that what was typed has gone, to a person who did not do that. */
export function sayEmptied(form: Form): void {
  announce(
    form,
    showAlert(form, () => wordsOf(form, 'emptied')),
  )
}

/** The result of work, or else another one as soon as the person leaves the page. */
export function unlessLeft<Result>(form: Form, work: Promise<Result>, left: Result): Promise<Result> {
  return new Promise((resolve) => {
    const leave = () => resolve(left)
    form.whenLeft.add(leave)
    void work.then(resolve).finally(() => form.whenLeft.delete(leave))
  })
}
