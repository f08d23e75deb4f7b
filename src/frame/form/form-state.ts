import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { AfterPaintQueue } from '../after-paint-queue.ts'
import type { AfterClick } from './after-click.ts'
import type { EditHistory } from '../field/editing/edit-history.ts'
import type { PendingEdit } from '../field/editing/text-edit.ts'
import { forEachField } from '../../contract/page/fields/field-name.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import type { WordName } from '../language/word-names.ts'
import type { Translation } from '../language/translation.ts'

/**
 * opening: before the page's welcome. finished: the page has used the token; in the place of the fields stands which card was received,
 * until somebody wants to type one again.
 */
export type Phase = 'opening' | 'ready' | 'processing' | 'finished'

/** What is said above the button. */
interface FormAlert {
  /** Returns the text in the current language. */
  words: () => string
  /** Whether it holds only while the device has no network connection. */
  onlyOffline: boolean
  /** Whether it holds whatever is typed. */
  lasts: boolean
}

/** What may be said of a card once its number is gone. */
export interface ReceivedCard {
  /** Name of its scheme's icon; '' for an unknown one. */
  icon: string
  /** Its scheme, or a word for any card. */
  label: string
  lastFour: string
}

interface AdvanceState {
  /** The field that the focus went on to, the one it came from, and when, in ms of the document's clock. */
  last: { field: FieldName; from: FieldName; at: number } | null
  /** Whether the person seems to use a screen reader, whose place must not change by itself. */
  wouldConfuse: boolean
}

/** The form's whole state. Handlers change it. Everything that is shown, emitted or sent is read from `FormView`. */
export interface FormState {
  /** The text of each input, as shown. */
  texts: Readonly<Record<FieldName, Signal<string>>>
  /** How often each input has been replaced by a new one. */
  renewals: Readonly<Record<FieldName, Signal<number>>>
  /** The edits of each input, for undo and redo. */
  histories: Map<FieldName, EditHistory>
  /** What the page has put into inputs. */
  presets: Map<FieldName, string>
  /** Edits that have begun and not ended. */
  pendingEdits: Map<FieldName, PendingEdit>
  /** Fields that a person has filled and left. */
  filledAndLeft: Signal<ReadonlySet<FieldName>>
  /** Fields whose fault, if they have one, is shown. */
  revealed: Signal<ReadonlySet<FieldName>>
  /** Those of them that were not left yet: their fault was certain while they were typed. */
  revealedEarly: Set<FieldName>
  /** Fields that the service refused, until they are edited. */
  refused: Signal<ReadonlySet<FieldName>>
  /** What the focus, which goes on by itself from a complete card field, did last. */
  advance: AdvanceState
  /** Fields in which an input method is composing text. */
  composing: Set<FieldName>
  /** The inputs in the document. What stands in them counts, also before `texts` has it. */
  inputs: () => Iterable<HTMLInputElement>
  phase: Signal<Phase>
  /** The card that a finished form has received; else null. */
  received: Signal<ReceivedCard | null>
  /** Whether the person has left the page; false again if the browser brings it back. */
  isLeft: Signal<boolean>
  /** What is called when the person leaves the page. */
  whenLeft: Set<() => void>
  /** Whether what the form waits for takes longer than usual. */
  isSlow: Signal<boolean>
  /** Why the last submit failed; null if it did not fail. */
  alert: Signal<FormAlert | null>
  /** Text of the live region, which screen readers announce. */
  announcement: Signal<string>
  /** Whether no card can be taken, so that a message replaces the form. */
  unavailable: Signal<boolean>
  /** Whether no page has welcomed the form, so that a message stands in its place until one does. */
  isAbandoned: Signal<boolean>
  /** The merchant's settings. */
  settings: Signal<WidgetSettings>
  /** The amount for the button's text; '' in a form without an amount. */
  amount: Signal<string>
  translation: Signal<Translation>
  /** The time, in ms since 1970. */
  now: () => number
  /** Delays work that may move the form until no mouse button is held down. */
  afterClick: AfterClick
  /** Delays work that a person's key need not wait for. */
  afterPaint: AfterPaintQueue
  /** The button's text, unless the merchant has set one. */
  submitText: (form: FormState) => string
  /** Whether the button of a form that is opening is busy, as the amount is still being asked for. */
  waitsForAmount: Signal<boolean>
}

/** What a new form needs from its document. */
export interface FormParts {
  /** The time, in ms since 1970, to check expiry dates. */
  now: () => number
  translation: Translation
  /** The inputs in the document. Absent: none. */
  inputs?: () => Iterable<HTMLInputElement>
  /** Absent: at once. */
  afterClick?: AfterClick
  /** Absent: at once. */
  afterPaint?: AfterPaintQueue
  /** The button's text, unless the merchant has set one. Absent: the built-in text. */
  submitText?: (form: FormState) => string
  /** Whether the button is busy while the form is opening. Absent: not. */
  waitsForAmount?: boolean
}

const AT_ONCE: AfterPaintQueue = { add: (work) => work(), flush: () => undefined }

export function createFormState({
  now,
  translation,
  inputs = () => [],
  afterClick = (work) => work(),
  afterPaint = AT_ONCE,
  submitText = (form) => wordsOf(form, 'submit_button'),
  waitsForAmount = false,
}: FormParts): FormState {
  return {
    texts: forEachField(() => signal('')),
    renewals: forEachField(() => signal(0)),
    histories: new Map(),
    presets: new Map(),
    pendingEdits: new Map(),
    filledAndLeft: signal(new Set()),
    revealed: signal(new Set()),
    revealedEarly: new Set(),
    refused: signal(new Set()),
    advance: { last: null, wouldConfuse: false },
    composing: new Set(),
    inputs,
    phase: signal('opening'),
    received: signal(null),
    isLeft: signal(false),
    whenLeft: new Set(),
    isSlow: signal(false),
    alert: signal(null),
    announcement: signal(''),
    unavailable: signal(false),
    isAbandoned: signal(false),
    settings: signal({}),
    amount: signal(''),
    translation: signal(translation),
    now,
    afterClick,
    afterPaint,
    submitText,
    waitsForAmount: signal(waitsForAmount),
  }
}

/** The text of an input. */
export function textOf({ texts }: FormState, field: FieldName): string {
  return texts[field].value
}

/** Sets the text of an input. */
export function setText({ texts }: FormState, field: FieldName, text: string): void {
  texts[field].value = text
}

/** A built-in text in the form's language. */
export function wordsOf({ translation }: FormState, name: WordName): string {
  return translation.value.words[name] ?? ''
}
