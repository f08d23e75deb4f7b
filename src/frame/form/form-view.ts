import { computed } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { schemeOf } from '../../card/scheme.ts'
import type { Scheme } from '../../card/scheme.ts'
import { digitsOf } from '../../card/digits.ts'
import { faultOf } from '../field/field-fault.ts'
import type { FieldFault } from '../field/field-fault.ts'
import { forEachField } from '../../contract/page/fields/field-name.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { fieldsOf, shownFieldsOf } from '../../contract/page/fields/form-fields.ts'
import { createFormState, textOf, wordsOf } from './form-state.ts'
import type { FormParts, FormState, Phase } from './form-state.ts'
import { buttonTextOf, codeHintOf, labelOf, placeholderOf } from './form-texts.ts'

/** One input as it is shown, but for its text. */
export interface FieldView {
  label: string
  placeholder: string
  required: boolean
  /** The text below the input: its fault if that is shown, else a hint, or ''. */
  note: string
  /** Whether the note is the fault. */
  isFaultShown: boolean
}

/** Everything that is derived from the form's state, in one place for rendering, events and submit. */
export interface FormView {
  /** The visible inputs, in order. */
  shown: ReadonlySignal<readonly FieldName[]>
  /** Whether the card's fields stand in one box. */
  isLine: ReadonlySignal<boolean>
  fields: Readonly<Record<FieldName, ReadonlySignal<FieldView>>>
  /** Why each field is not valid, whether that is shown or not. */
  faults: Readonly<Record<FieldName, ReadonlySignal<FieldFault | null>>>
  /** Visible inputs with a fault. Hidden ones do not count: a person could not correct them. */
  faulty: ReadonlySignal<readonly FieldName[]>
  /** The digits of the card number typed so far, and their scheme. */
  digits: ReadonlySignal<string>
  isNumberTyped: ReadonlySignal<boolean>
  scheme: ReadonlySignal<Scheme | null>
  /** Whether a card is being sent, so that nothing can be typed. */
  processing: ReadonlySignal<boolean>
  button: ReadonlySignal<string>
  /** Why the last submit failed and what to do; '' if it did not fail. */
  alert: ReadonlySignal<string>
}

/** A form: its state, and the view derived from it. */
export interface Form extends FormState {
  view: FormView
}

const BUTTON_TEXTS = {
  opening: 'submit_button',
  ready: 'submit_button',
  processing: 'submit_button_processing',
  finished: 'finish_text',
} as const satisfies Record<Phase, string>

/** An empty form. */
export function createForm(parts: FormParts): Form {
  const state = createFormState(parts)
  return { ...state, view: viewOf(state) }
}

function viewOf(state: FormState): FormView {
  const digits = computed(() => digitsOf(textOf(state, 'card_number')))
  const scheme = computed(() => schemeOf(digits.value))
  const shown = computedView(() => shownFieldsOf(state.settings.value))
  const faults = forEachField((field) => faultIn(state, field, scheme))
  const fields = forEachField((field) => fieldViewOf(state, field, faults[field], scheme))
  return {
    shown,
    isLine: computed(() => state.settings.value.layout === 'line'),
    fields,
    faults,
    faulty: computed(() => shown.value.filter((field) => faults[field].value !== null)),
    digits,
    isNumberTyped: computed(() => digits.value !== ''),
    scheme,
    processing: computed(() => state.phase.value === 'processing'),
    button: computed(() =>
      state.isSlow.value ? wordsOf(state, 'slow') : buttonTextOf(state, BUTTON_TEXTS[state.phase.value]),
    ),
    alert: computed(() => state.alert.value?.words() ?? ''),
  }
}

function faultIn(
  state: FormState,
  name: FieldName,
  anyScheme: ReadonlySignal<Scheme | null>,
): ReadonlySignal<FieldFault | null> {
  const isRefused = computed(() => state.refused.value.has(name))
  return computed(() => {
    const scheme = schemeFor(name, anyScheme)
    const required = isRequired(state, name, scheme)
    return faultOf(state, { name, text: textOf(state, name), required, refused: isRefused.value, scheme })
  })
}

/** Judges the text only while its fault is shown, so that most keys compute and render nothing here. */
function fieldViewOf(
  state: FormState,
  name: FieldName,
  anyFault: ReadonlySignal<FieldFault | null>,
  anyScheme: ReadonlySignal<Scheme | null>,
): ReadonlySignal<FieldView> {
  const isRevealed = computed(() => state.revealed.value.has(name))
  const shownFault = computed(() => (isRevealed.value ? (anyFault.value?.words ?? null) : null))
  return computedView(() => {
    const scheme = schemeFor(name, anyScheme)
    const required = isRequired(state, name, scheme)
    const hint =
      name === 'card_ccv' ? (required ? codeHintOf(state, scheme) : wordsOf(state, 'code_if_any')) : ''
    const isUnlabelled = hint !== '' && state.settings.value.layout === 'line'
    return {
      label: labelOf(state, name),
      placeholder: placeholderOf(state, name, scheme),
      required,
      note: shownFault.value ?? (isUnlabelled ? `${labelOf(state, name)} · ${hint}` : hint),
      isFaultShown: shownFault.value !== null,
    }
  })
}

/** Whether a field must be filled: the code only where every card of the scheme has one. */
function isRequired({ settings }: FormState, name: FieldName, scheme: Scheme | null): boolean {
  if (name === 'card_ccv' && scheme?.isCodeOptional === true) return false
  return fieldsOf(settings.value).get(name) === true
}

/** The card's scheme, to the fields that it matters to. */
function schemeFor(name: FieldName, scheme: ReadonlySignal<Scheme | null>): Scheme | null {
  return name === 'card_number' || name === 'card_ccv' ? scheme.value : null
}

/** Computes what stays the same object while it holds the same, so that no change elsewhere renders it again. `compute` returns JSON. */
function computedView<View extends object>(compute: () => View): ReadonlySignal<View> {
  const text = computed(() => JSON.stringify(compute()))
  // oxlint-disable-next-line typescript/no-unsafe-return -- it was a view just before
  return computed<View>(() => JSON.parse(text.value))
}
