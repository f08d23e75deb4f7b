import { batch } from '@preact/signals'
import { lastFourOf } from '../../card/number.ts'
import type { Fault } from '../tokenise/service-request.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { formFieldsOf } from '../../contract/page/fields/field-name.ts'
import { FIELDS_ON_CARD } from '../field/field-actions.ts'
import { showAlert } from '../form/alert.ts'
import { announce } from '../form/announce.ts'
import { emptyFields } from '../form/empty-form.ts'
import { revealFaults } from '../form/form-faults.ts'
import { wordsOf } from '../form/form-state.ts'
import type { ReceivedCard } from '../form/form-state.ts'
import type { Form } from '../form/form-view.ts'
import { receivedWordsOf } from '../form/form-texts.ts'
import type { Emit } from '../page-channel.ts'
import type { TokeniseOutcome } from '../tokenise/tokenise.ts'
import type { WordName } from '../language/word-names.ts'

/** How a submit reaches the page, by events, and the person, by the focus. */
export interface SubmitEffects {
  emit: Emit
  /** Answers whether the focus moved there. */
  focus: (field: FieldName) => boolean
}

/**
 * Reports the outcome of a submit to the page and the person. The form is usable again, unless there is a token: then it stays
 * busy until the page has done its part.
 */
export function reportTokenOutcome(form: Form, effects: SubmitEffects, outcome: TokeniseOutcome): void {
  if (outcome.kind !== 'token') form.phase.value = 'ready'
  switch (outcome.kind) {
    case 'token':
      effects.emit({ event: 'finish', payment_source: outcome.token })
      break
    case 'refused':
      reportRefusal(form, effects, outcome)
      break
    case 'fault':
      reportFault(form, effects, outcome)
  }
}

/**
 * Ends a submit whose token the page has used. If the page is done, nothing of the card stays but its scheme and last digits; name and
 * address stay for another try. If it is not, the card can be sent again as it is.
 */
export function finishSubmit(form: Form, isDone: boolean, { received, focusReceived }: FinishParts): void {
  if (form.phase.value !== 'processing') return
  if (!isDone) {
    form.phase.value = 'ready'
    alertAndAnnounce(form, 'page_failed')
    return
  }
  const wasInField = [...form.inputs()].some((input) => input === input.ownerDocument.activeElement)
  batch(() => {
    emptyFields(form, FIELDS_ON_CARD)
    form.alert.value = null
    form.received.value = received
    form.phase.value = received === null ? 'ready' : 'finished'
  })
  const isSaid = received === null || (wasInField && focusReceived())
  announce(form, isSaid ? '' : receivedWordsOf(form, received).join('\n'))
}

interface FinishParts {
  /** null: the fields are shown, for another card. */
  received: ReceivedCard | null
  /** Moves the focus to what replaced the fields; returns whether it moved. */
  focusReceived: () => boolean
}

/** What may be said of the card in the form after its number is gone. */
export function receivedCardOf(form: Form): ReceivedCard {
  const scheme = form.view.scheme.value
  return {
    icon: scheme?.name ?? '',
    label: scheme?.label ?? wordsOf(form, 'card'),
    lastFour: lastFourOf(form.view.digits.value),
  }
}

type Refusal = Extract<TokeniseOutcome, { kind: 'refused' }>

function reportRefusal(form: Form, { emit, focus }: SubmitEffects, { code, details }: Refusal): void {
  const isNamed = (field: FieldName) =>
    details.some(({ path }) => formFieldsOf([field]).some((name) => name === path))
  const refused = form.view.shown.value.filter(isNamed)
  form.refused.value = new Set(refused)
  revealFaults(form, refused)
  const message = alertAndAnnounce(form, 'refused_card')
  emit({
    event: 'validationError',
    error: { code, message, details },
    invalid_fields: formFieldsOf(refused),
  })
  if (refused[0] !== undefined) focus(refused[0])
}

function reportFault(form: Form, { emit }: SubmitEffects, { code, retryable }: Fault): void {
  const known = FAULTS.find((name) => name === code)
  const message = alertAndAnnounce(form, known ?? (retryable ? 'fault' : 'closed'))
  emit({ event: 'systemError', error: { code, message, retryable } })
}

/** Faults that a person can do something about; each has a text of its name. */
const FAULTS = ['offline', 'network_error', 'timeout', 'rate_limited'] as const satisfies readonly WordName[]

function alertAndAnnounce(form: Form, name: WordName): string {
  const message = showAlert(form, () => wordsOf(form, name), { onlyOffline: name === 'offline' })
  announce(form, message)
  return message
}
