import type { FieldName } from '../../contract/page/fields/field-name.ts'
import type { Form } from '../form/form-view.ts'
import { textOf } from '../form/form-state.ts'
import { moveFocus } from '../move-focus.ts'
import { FIELDS_ON_CARD } from './field-actions.ts'
import { canBeJudged } from './field-fault.ts'
import { isKey } from './editing/text-edit.ts'
import type { TextEdit, TextWithCaret } from './editing/text-edit.ts'

/** A field's text before and after an edit by a person. */
interface FinishedEdit {
  before: string
  /** As the browser made it. */
  edit: TextEdit
  /** As the form shows it. */
  shown: TextWithCaret
  /** When, in ms of the document's clock (`Event.timeStamp`). */
  at: number
}

/**
 * Moves the focus on to the next card field, if it is empty, once the number or the expiry date is complete and right: after the last
 * key at its end, or after a paste, which may have filled the fields between. Autofill, undo and edits in the middle move nothing.
 */
export function advance(form: Form, field: FieldName, { before, edit, shown, at }: FinishedEdit): void {
  const isPaste = edit.inputType === 'insertFromPaste'
  if (!(isPaste || isKey(before, edit)) || shown.caret < shown.value.length || shown.value === before) return
  if (!isOn(form) || !isComplete(form, field)) return
  const next = cardFieldsBeside(form, field, 1)
  const target = (isPaste ? next : next.slice(0, 1)).find((name) => isEmpty(form, name))
  const focused = focusedInput(form)
  if (target === undefined || focused?.id !== field) return
  if (moveFocus(focused.ownerDocument, target)) form.advance.last = { field: target, at }
}

/**
 * Takes keys in an empty field to where they were meant; true if the key is used up by that. Backspace deletes in the field before, as
 * if it were one field with this one. What was typed on for the field that the focus has just left is not misplaced: a Tab does not
 * take the person one field too far, and the separator of a longer date goes where the date stands.
 */
export function redirectKey(form: Form, field: FieldName, event: KeyboardEvent): boolean {
  if (hasModifier(event) || !isEmpty(form, field) || !isOn(form)) return false
  const { key, repeat, timeStamp } = event
  const { last } = form.advance
  const isMeantForBefore = last?.field === field && timeStamp - last.at < TYPED_ON_MS
  form.advance.last = null
  if (key === 'Tab') return isMeantForBefore
  // A key that is held down stops here.
  const isDeletion = key === 'Backspace' && !repeat
  if (isDeletion || (isMeantForBefore && field === 'card_ccv' && SEPARATORS.includes(key)))
    goBack(form, field)
  return false
}

const hasModifier = ({ shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
  shiftKey || ctrlKey || altKey || metaKey

/** How soon after the last digit a key was meant for the field that the focus has just left, in ms. */
const TYPED_ON_MS = 600
const SEPARATORS = ['/', '-', '.']

/** Moves the focus to the end of the card field before. A browser carries out the key where the focus is then. */
function goBack(form: Form, field: FieldName): void {
  const [target] = cardFieldsBeside(form, field, -1)
  const page = focusedInput(form)?.ownerDocument
  if (target === undefined || page === undefined || !moveFocus(page, target)) return
  const end = textOf(form, target).length
  focusedInput(form)?.setSelectionRange(end, end)
}

/** Whether the focus may move by itself: not if the merchant has turned that off, and not for a person who may lose the place by it. */
function isOn({ settings, advance: state, phase }: Form): boolean {
  return settings.value.auto_advance !== false && !state.wouldConfuse && phase.value !== 'processing'
}

/** Whether nothing is left to type in a field. A longer number may follow where a scheme has several usual lengths. */
function isComplete(form: Form, field: FieldName): boolean {
  if (field === 'card_ccv' || !FIELDS_ON_CARD.some((name) => name === field)) return false
  const { digits, scheme, faults } = form.view
  const isWhole =
    field === 'expiry'
      ? canBeJudged(field, textOf(form, field))
      : digits.value.length >= (scheme.value?.usualLength ?? Infinity)
  return isWhole && faults[field].value === null
}

const isEmpty = (form: Form, field: FieldName) => textOf(form, field) === ''

/** The card fields that are shown directly after a card field, in order; with a step of -1, before it. */
function cardFieldsBeside(form: Form, field: FieldName, step: 1 | -1): FieldName[] {
  const shown = form.view.shown.value
  const ordered = step === 1 ? shown : shown.toReversed()
  const beside = ordered.slice(ordered.indexOf(field) + 1)
  const end = beside.findIndex((name) => !FIELDS_ON_CARD.some((one) => one === name))
  return end === -1 ? beside : beside.slice(0, end)
}

const focusedInput = ({ inputs }: Form) =>
  [...inputs()].find((input) => input === input.ownerDocument.activeElement)

/**
 * Stops the focus from moving by itself as soon as somebody presses an input with a screen reader, a switch or by voice: who does not
 * see the form would lose the place. Such a press comes without a pointer, or from one without a size.
 */
export function keepPlaceOfScreenReaders(form: Form, frameWindow: Window): void {
  let isPointed = false
  const stop = () => (form.advance.wouldConfuse = true)
  const heard = { capture: true }
  frameWindow.addEventListener(
    'pointerdown',
    (event) => {
      isPointed = true
      if (isWithoutSize(event)) stop()
    },
    heard,
  )
  frameWindow.addEventListener(
    'click',
    ({ detail, target }) => {
      // A label passes a press on to its input by another click, which has no pointer either.
      if (detail === 0 && !isPointed && target instanceof HTMLInputElement) stop()
      frameWindow.setTimeout(() => (isPointed = false))
    },
    heard,
  )
}

/** TalkBack and VoiceOver press with a point of no size, or with a mouse of one pixel and no pressure. */
function isWithoutSize({ width, height, pressure, pointerType }: PointerEvent): boolean {
  if (width === 0 && height === 0) return true
  return width === 1 && height === 1 && pressure === 0 && pointerType === 'mouse'
}
