import { batch } from '@preact/signals'
import { cardFromForm } from './card-from-form.ts'
import { formFieldsOf } from '../field/field-name.ts'
import { faultWordsOf, revealFaults } from '../form/form-faults.ts'
import type { Form } from '../form/form-view.ts'
import { buttonTextOf } from '../form/form-texts.ts'
import type { Audience } from './settle-submit.ts'
import type { Card } from '../tokenise/tokenise.ts'

interface SubmitParts extends Audience {
  /** Sends a card that is right, and settles what comes of it. */
  sendCard: (card: Card) => Promise<void>
}

/**
 * Submits the form: refuses it at once with the first faulty field in focus, or has the card sent. While one submit is under way, or finished and untouched, another does nothing.
 */
export async function submitCard(form: Form, parts: SubmitParts): Promise<void> {
  if (form.phase.value !== 'ready') return
  const heard = form.announcement.value
  batch(() => {
    form.refused.value = new Set()
    form.alert.value = null
    revealFaults(form, form.view.shown.value)
    announceFaults(form, heard)
  })
  const card = cardFromForm(form)
  if (card === null) refuseTyping(form, parts)
  else await send(form, parts, card)
}

/** Says all faults, those that were shown before, too: a press that is refused again must be heard again. */
function announceFaults(form: Form, heard: string): void {
  const said = faultWordsOf(form, form.view.faulty.value).join(' ')
  // A live region speaks only when its text changes, and a space that isn't heard is a change.
  if (said !== '') form.announcement.value = said === heard ? `${said}\u00a0` : said
}

async function send(form: Form, parts: SubmitParts, card: Card): Promise<void> {
  form.phase.value = 'processing'
  form.announcement.value = buttonTextOf(form, 'submit_button_processing')
  parts.emit({ event: 'submit' })
  await parts.sendCard(card)
}

function refuseTyping(form: Form, { emit, focus }: Audience): void {
  const faulty = form.view.faulty.value
  const words = faultWordsOf(form, faulty)
  const details = faulty.flatMap((field, index) =>
    formFieldsOf([field]).map((path) => ({ path, message: words[index] ?? '' })),
  )
  emit({
    event: 'validationError',
    error: { code: 'validation_error', message: words.join(' '), details },
    invalid_fields: formFieldsOf(faulty),
  })
  if (faulty[0] !== undefined) focus(faulty[0])
}
