import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { schemeOf } from '../card/scheme.ts'
import type { Scheme } from '../card/scheme.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import type { AfterPress } from './after-press.ts'
import { digitsOf } from './digits.ts'
import type { EditHistory } from './edit-history.ts'
import type { FieldName } from './field-name.ts'
import type { CheckoutWordName } from './checkout/checkout-word-names.ts'
import type { WordName } from './word-names.ts'
import type { Speech } from './words.ts'

/** opening: no page has said welcome yet; finished: a token was handed over and nothing was touched since. */
export type Phase = 'opening' | 'ready' | 'processing' | 'finished'

/** All that the form knows. Free functions change it, components only show it. */
export interface FormState {
  /** What stands in each input, as shown. */
  typed: Signal<Readonly<Partial<Record<FieldName, string>>>>
  /** How each input came to hold what it holds, for undo and redo. */
  histories: Map<FieldName, EditHistory>
  /** Fields that a person has left with something in them. */
  left: Signal<ReadonlySet<FieldName>>
  /** Fields whose fault, if they have one, is shown. */
  revealed: Signal<ReadonlySet<FieldName>>
  /** Fields that the service refused, until they are edited. */
  refused: Signal<ReadonlySet<FieldName>>
  phase: Signal<Phase>
  /** Why the last submit failed and what to do, shown above the button; null if it didn't. */
  alert: Signal<WordName | CheckoutWordName | null>
  /** What a screen reader is told next. */
  announcement: Signal<string>
  /** Whether no card can be taken here, so that there is no form to show. */
  closed: Signal<boolean>
  /** All that the merchant has set. */
  settings: Signal<WidgetSettings>
  /** What is to be paid, for the button to say; '' where that is the page's to say. */
  amount: Signal<string>
  speech: Signal<Speech>
  /** The time, in ms since 1970. */
  now: () => number
  /** Does what may move the form only when no button is held down. */
  afterPress: AfterPress
}

/** An empty form; the clock is asked whenever an expiry date is judged. */
export function createFormState(
  now: () => number,
  speech: Speech,
  afterPress: AfterPress = (work) => work(),
): FormState {
  return {
    typed: signal({}),
    histories: new Map(),
    left: signal(new Set()),
    revealed: signal(new Set()),
    refused: signal(new Set()),
    phase: signal('opening'),
    alert: signal(null),
    announcement: signal(''),
    closed: signal(false),
    settings: signal({}),
    amount: signal(''),
    speech: signal(speech),
    now,
    afterPress,
  }
}

/** What stands in an input. */
export function textIn({ typed }: FormState, field: FieldName): string {
  return typed.value[field] ?? ''
}

/** Puts a text into an input. */
export function putInto({ typed }: FormState, field: FieldName, text: string): void {
  typed.value = { ...typed.value, [field]: text }
}

/** The digits of the card number as far as they are typed. */
export function numberDigitsOf(form: FormState): string {
  return digitsOf(textIn(form, 'card_number'))
}

/** The scheme of the card number as far as it is typed. */
export function cardSchemeOf(form: FormState): Scheme | null {
  return schemeOf(numberDigitsOf(form))
}
