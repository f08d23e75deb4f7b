import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { AfterClick } from './after-click.ts'
import type { EditHistory } from '../field/editing/edit-history.ts'
import { forEachField } from '../field/field-name.ts'
import type { FieldName } from '../field/field-name.ts'
import type { WordName } from '../language/word-names.ts'
import type { Translation } from '../language/translation.ts'

/** opening: no page has said welcome yet; finished: a token was handed over and nothing was touched since. */
export type Phase = 'opening' | 'ready' | 'processing' | 'finished'

/** All that the form knows: handlers change it, and what is shown, told and sent is read from the form's view of it. */
export interface FormState {
  /** What stands in each input, as shown. */
  texts: Readonly<Record<FieldName, Signal<string>>>
  /** How each input came to hold what it holds, for undo and redo. */
  histories: Map<FieldName, EditHistory>
  /** Fields that a person has left with something in them. */
  left: Signal<ReadonlySet<FieldName>>
  /** Fields whose fault, if they have one, is shown. */
  revealed: Signal<ReadonlySet<FieldName>>
  /** Fields that the service refused, until they are edited. */
  refused: Signal<ReadonlySet<FieldName>>
  phase: Signal<Phase>
  /** Says in the language of the moment why the last submit failed and what to do; null if it didn't. */
  alert: Signal<(() => string) | null>
  /** What a screen reader is told next. */
  announcement: Signal<string>
  /** Whether no card can be taken here, so that there is no form to show. */
  closed: Signal<boolean>
  /** All that the merchant has set. */
  settings: Signal<WidgetSettings>
  /** What is to be paid, for the button to say; '' where the page says it. */
  amount: Signal<string>
  translation: Signal<Translation>
  /** The time, in ms since 1970. */
  now: () => number
  /** Does what may move the form only when no button is held down. */
  afterClick: AfterClick
  /** What the button says unless the merchant has set a text for it. */
  submitText: (form: FormState) => string
}

/** What an empty form needs of the document that shows it. */
export interface FormParts {
  /** Asked whenever an expiry date is judged. */
  now: () => number
  translation: Translation
  /** Without it: at once. */
  afterClick?: AfterClick
  /** What the button says unless the merchant has set a text for it; without it, the language's own. */
  submitText?: (form: FormState) => string
}

export function createFormState({
  now,
  translation,
  afterClick = (work) => work(),
  submitText = (form) => wordsOf(form, 'submit_button'),
}: FormParts): FormState {
  return {
    texts: forEachField(() => signal('')),
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
    translation: signal(translation),
    now,
    afterClick,
    submitText,
  }
}

/** What stands in an input. */
export function textIn({ texts }: FormState, field: FieldName): string {
  return texts[field].value
}

/** Puts a text into an input. */
export function putInto({ texts }: FormState, field: FieldName, text: string): void {
  texts[field].value = text
}

/** What the form says by a name, in its language. */
export function wordsOf({ translation }: FormState, name: WordName): string {
  return translation.value.words[name] ?? ''
}
