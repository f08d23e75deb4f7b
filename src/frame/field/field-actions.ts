import { batch } from '@preact/signals'
import { readCardText } from './editing/card-text.ts'
import type { CardText } from './editing/card-text.ts'
import { editCardNumber, editCode } from './editing/digit-editing.ts'
import { createHistory, keysOf, nextPaste, recordEdit, undoOrRedo } from './editing/edit-history.ts'
import type { EditHistory } from './editing/edit-history.ts'
import { editExpiry } from './editing/expiry-editing.ts'
import { isKey, withKind } from './editing/text-edit.ts'
import type { TextEdit, TextWithCaret, PendingEdit } from './editing/text-edit.ts'
import { withSpokenDigits } from './editing/spoken-digits.ts'
import { tidyExpiry } from './editing/expiry-text.ts'
import { editCountry, tidyCountry } from './address.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { clearAlert } from '../form/alert.ts'
import { announce } from '../form/announce.ts'
import { revealFaults } from '../form/form-faults.ts'
import { setText, textOf } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import { canBeJudged } from './field-fault.ts'

const MAX_CODE_LENGTH = 4

/** Notes what an edit is about to do. */
export function beginEdit(form: Form, field: FieldName, edit: Omit<PendingEdit, 'before'> = {}): void {
  form.pendingEdits.set(field, { ...edit, before: textOf(form, field) })
}

/** Stores what an input method has composed so far as it is, so that nothing is shown in its place before it is done. */
export function composeText(form: Form, field: FieldName, text: string): void {
  if (!form.pendingEdits.has(field)) beginEdit(form, field)
  setText(form, field, text)
}

/**
 * Formats and stores an edit that the browser made in a field. Returns the text and caret to show. A whole card that is put in
 * at once, into any of its fields, fills all of them that are shown.
 */
export function editField(form: Form, field: FieldName, browserEdit: TextEdit): TextWithCaret {
  const { before, ...pending } = form.pendingEdits.get(field) ?? { before: textOf(form, field) }
  form.pendingEdits.delete(field)
  const edit = withKind(before, { ...browserEdit, ...pending })
  const card = isKey(before, edit) ? null : cardTextOf(edit, form.now())
  return batch(() => {
    if (card !== null && isCardField(field)) return putCard(form, field, before, card)
    const shown = formatAndStore(form, field, before, edit)
    if (DIGITS_ONLY.includes(field) && !isKey(before, edit) && hasUnreadWords(edit))
      revealFaults(form, [field])
    return shown
  })
}

/**
 * Does for nothing what the first keys of a number need. Else a slow device would compile all that while a person waits to see the
 * first digit.
 */
export function rehearseKeys(): void {
  const history = createHistory()
  let before = ''
  for (const inserted of '424') {
    const value = before + inserted
    const edit = withKind(before, { value, caret: value.length, inputType: 'insertText', inserted })
    const shown = editCardNumber(before, edit)
    recordEdit(history, before, edit, shown)
    before = shown.value
  }
}

const DIGITS_ONLY: readonly FieldName[] = ['card_number', 'card_ccv']

/** Whether words were put in that are neither digits nor the name of a number: they are left out, and a person should see it. */
function hasUnreadWords({ inserted, value, inputType }: TextEdit): boolean {
  return !inputType.startsWith('delete') && /\p{L}/u.test(withSpokenDigits(inserted ?? value))
}

/** The card in what was put in; in the whole field if the browser doesn't say what was. */
function cardTextOf({ inserted, value, inputType }: TextEdit, now: number): CardText | null {
  return inputType.startsWith('delete') ? null : readCardText(inserted ?? value, now)
}

function putCard(form: Form, field: CardField, before: string, card: CardText): TextWithCaret {
  const texts = { card_number: card.number, expiry: card.expiry, card_ccv: card.code }
  const paste = Symbol('paste')
  const others = FIELDS_ON_CARD.filter((name) => name !== field && form.view.shown.value.includes(name))
  for (const other of others) {
    const text = texts[other]
    if (text !== null) formatAndStore(form, other, textOf(form, other), wholeText(text), paste)
  }
  return formatAndStore(form, field, before, wholeText(texts[field] ?? before), paste)
}

/** Text that takes the place of all that a field holds. */
const wholeText = (value: string): TextEdit => ({
  value,
  caret: value.length,
  inputType: 'insertFromPaste',
})

function formatAndStore(
  form: Form,
  field: FieldName,
  before: string,
  edit: TextEdit,
  paste?: symbol,
): TextWithCaret {
  const history = historyOf(form, field)
  const keyed = { ...edit, typed: keysOf(history, before) }
  const shown = EDITORS[field]?.(before, keyed, form) ?? edit
  recordEdit(history, before, keyed, shown, paste)
  storeText(form, field, shown.value)
  return shown
}

/**
 * Undoes or redoes the last edit of a field, with what the same paste has put into others, unless they were edited since. Returns the
 * text and caret to show, or null without such an edit.
 */
export function undoOrRedoEdit(
  form: Form,
  field: FieldName,
  direction: 'undo' | 'redo',
  caret: number,
): TextWithCaret | null {
  const paste = nextPaste(historyOf(form, field), direction)
  const others = FIELDS_ON_CARD.filter(
    (name) => paste !== undefined && name !== field && nextPaste(historyOf(form, name), direction) === paste,
  )
  return batch(() => {
    for (const other of others) takeStep(form, other, direction, textOf(form, other).length)
    return takeStep(form, field, direction, caret)
  })
}

function takeStep(
  form: Form,
  field: FieldName,
  direction: 'undo' | 'redo',
  caret: number,
): TextWithCaret | null {
  const shown = undoOrRedo(historyOf(form, field), direction, { value: textOf(form, field), caret })
  if (shown !== null) storeText(form, field, shown.value)
  return shown
}

/** Tidies a date or an address that was left, and shows the faults of all fields left so far. */
export function leaveField(form: Form, field: FieldName): void {
  batch(() => {
    const tidy = TIDIED[field]
    if (tidy !== undefined) setText(form, field, tidy(textOf(form, field), form))
    form.revealedEarly.delete(field)
    if (textOf(form, field) !== '') form.filledAndLeft.value = new Set([...form.filledAndLeft.value, field])
    revealFaults(form, [...form.filledAndLeft.value])
  })
}

function storeText(form: Form, field: FieldName, text: string): void {
  batch(() => {
    setText(form, field, text)
    if (form.refused.value.has(field)) form.refused.value = without(form.refused.value, field)
    if (form.alert.value?.lasts !== true) clearAlert(form)
    revealCertainFault(form, field)
  })
}

/** Shows the fault of a field that is typed as soon as no more keys can make it right, and hides it again while they can. */
function revealCertainFault(form: Form, field: FieldName): void {
  const isCertain =
    canBeJudged(field, textOf(form, field)) && form.view.faults[field].value?.isCertain === true
  if (!isCertain && form.revealedEarly.delete(field)) {
    form.revealed.value = without(form.revealed.value, field)
    announce(form, '')
  }
  if (isCertain && !form.revealed.value.has(field)) form.revealedEarly.add(field)
  revealFaults(form, isCertain ? [field] : [])
}

function without(fields: ReadonlySet<FieldName>, field: FieldName): ReadonlySet<FieldName> {
  return new Set([...fields].filter((one) => one !== field))
}

function historyOf({ histories }: Form, field: FieldName): EditHistory {
  const known = histories.get(field) ?? createHistory()
  histories.set(field, known)
  return known
}

/** The card's own fields, which a whole card fills. */
export const FIELDS_ON_CARD = ['card_number', 'expiry', 'card_ccv'] as const

type CardField = (typeof FIELDS_ON_CARD)[number]

const isCardField = (field: FieldName): field is CardField => FIELDS_ON_CARD.some((name) => name === field)

type Editor = (before: string, edit: TextEdit, form: Form) => TextWithCaret

/** Fields whose text is tidied when they are left. */
const TIDIED: Partial<Record<FieldName, (text: string, form: Form) => string>> = {
  expiry: tidyExpiry,
  email: tidyEmail,
  address_country: tidyCountry,
}

/** Fields whose text is formatted while it is typed. */
const EDITORS: Partial<Record<FieldName, Editor>> = {
  card_number: editCardNumber,
  expiry: editExpiry,
  email: editEmail,
  address_country: editCountry,
  card_ccv: (before, edit, form) =>
    editCode(before, edit, form.view.scheme.value?.codeLength ?? MAX_CODE_LENGTH),
}

const wide = /[\uff01-\uff5e]/g
const TO_ASCII = 0xfee0
/** As mail programs copy an address: with a name in front, in angle brackets, or as a link. */
const copied = /^(?:[^<>@]*<)?\s*(?:mailto:)?([^<>@\s]+@[^<>@\s?]+)[^<>@]*>?[\s,;]*$/i

/** The e-mail field after an edit: wide letters and signs of an Asian keyboard are plain ones, and a copied address loses its name. */
export function editEmail(before: string, edit: TextEdit): TextWithCaret {
  const value = edit.value.replace(wide, (sign) => String.fromCharCode(sign.charCodeAt(0) - TO_ASCII))
  const shown = isKey(before, edit) || edit.inputType.startsWith('delete') ? value : tidyEmail(value)
  return shown === value ? { value, caret: edit.caret } : { value: shown, caret: shown.length }
}

/** The address in a text such as `Ada <ada@example.com>`; any other text as it is. */
function tidyEmail(text: string): string {
  return /[<>]|^\s*mailto:/i.test(text) ? (copied.exec(text)?.[1] ?? text) : text
}
