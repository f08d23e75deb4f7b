import { CARD_FIELDS, cardFieldOf, formFieldsOf } from './card-field.ts'
import type { CardField } from './card-field.ts'
import { revealFaults } from './form-faults.ts'
import type { FormState } from './form-state.ts'
import type { Emit } from './page-channel.ts'
import { faultWords, REFUSED_CARD_WORDS, REFUSED_FIELD_WORDS } from './refusal-words.ts'
import type { TokeniseOutcome } from './tokenise.ts'

/** Who hears of a submit: the page, by events, and the person, by where the focus goes. */
export interface Audience {
  emit: Emit
  focus: (field: CardField) => void
}

/** Ends a submit: the form is free again, and page and person are told what came of it. */
export function settle(form: FormState, audience: Audience, outcome: TokeniseOutcome): void {
  form.phase.value = 'ready'
  switch (outcome.kind) {
    case 'token':
      finish(form, audience, outcome.token)
      break
    case 'refused':
      refuseCard(form, audience, outcome)
      break
    case 'fault':
      reportFault(form, audience, outcome)
  }
}

function finish(form: FormState, { emit }: Audience, token: string): void {
  form.phase.value = 'finished'
  form.announcement.value = form.texts.value.finish_text
  emit({ event: 'finish', payment_source: token })
}

type Outcome<Kind extends TokeniseOutcome['kind']> = Extract<TokeniseOutcome, { kind: Kind }>

function refuseCard(form: FormState, { emit, focus }: Audience, { code, details }: Outcome<'refused'>): void {
  const refused = CARD_FIELDS.filter((field) => details.some(({ path }) => cardFieldOf(path) === field))
  form.refusals.value = Object.fromEntries(refused.map((field) => [field, REFUSED_FIELD_WORDS]))
  revealFaults(form, refused)
  say(form, REFUSED_CARD_WORDS)
  emit({
    event: 'validationError',
    error: { code, message: REFUSED_CARD_WORDS, details },
    invalid_fields: formFieldsOf(refused),
  })
  if (refused[0] !== undefined) focus(refused[0])
}

function reportFault(form: FormState, { emit }: Audience, { code, retryable }: Outcome<'fault'>): void {
  const message = faultWords(code, retryable, form.texts.value.submit_button)
  say(form, message)
  emit({ event: 'systemError', error: { code, message, retryable } })
}

function say(form: FormState, words: string): void {
  form.alert.value = words
  form.announcement.value = words
}
