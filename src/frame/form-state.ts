import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { schemeOf } from '../card/scheme.ts'
import type { Scheme } from '../card/scheme.ts'
import { eachField } from './card-field.ts'
import type { CardField } from './card-field.ts'
import { digitsOf } from './digits.ts'
import { DEFAULT_TEXTS } from './texts.ts'
import type { FormTexts } from './texts.ts'

/** opening: no page has said welcome yet; finished: a token was handed over and nothing was touched since. */
export type Phase = 'opening' | 'ready' | 'processing' | 'finished'

/** All that the form knows. Free functions change it, components only show it. */
export interface FormState {
  /** What stands in each input, as shown. */
  typed: Record<CardField, Signal<string>>
  /** Fields that a person has left with something in them. */
  left: Signal<ReadonlySet<CardField>>
  /** Fields whose fault, if they have one, is shown. */
  revealed: Signal<ReadonlySet<CardField>>
  /** Words on fields that the service refused. */
  refusals: Signal<Partial<Record<CardField, string | undefined>>>
  phase: Signal<Phase>
  /** Why the last submit failed and what to do, shown above the button; '' if it didn't. */
  alert: Signal<string>
  /** What a screen reader is told next. */
  announcement: Signal<string>
  /** Why there is no form to show; '' if there is one. */
  closed: Signal<string>
  texts: Signal<FormTexts>
  /** The time, in ms since 1970. */
  now: () => number
}

/** An empty form; the clock is asked whenever an expiry date is judged. */
export function createFormState(now: () => number): FormState {
  return {
    typed: eachField(() => signal('')),
    left: signal(new Set()),
    revealed: signal(new Set()),
    refusals: signal({}),
    phase: signal('opening'),
    alert: signal(''),
    announcement: signal(''),
    closed: signal(''),
    texts: signal(DEFAULT_TEXTS),
    now,
  }
}

/** The digits of the card number as far as they are typed. */
export function numberDigitsOf({ typed }: FormState): string {
  return digitsOf(typed.card_number.value)
}

/** The scheme of the card number as far as it is typed. */
export function cardSchemeOf(form: FormState): Scheme | null {
  return schemeOf(numberDigitsOf(form))
}
