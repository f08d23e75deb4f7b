import type { CardField } from './card-field.ts'

/** Words on a field that passed every check here and was refused by the service all the same. */
export const REFUSED_FIELD_WORDS: Readonly<Record<CardField, string>> = {
  card_name: 'This name was not accepted. Enter it as it stands on the card.',
  card_number: 'This card number was not accepted. Check it, or use another card.',
  expiry: 'This expiry date was not accepted. Check it on the card.',
  card_ccv: 'This security code was not accepted. Check it on the card.',
}

/** Words for a card that the service refused without naming a field. */
export const REFUSED_CARD_WORDS = 'These card details were not accepted. Check them, or use another card.'

/** What happened and what to do, for a fault that is nobody's typing; `button` is the text on the submit button. */
export function faultWords(code: string, retryable: boolean, button: string): string {
  const again = `press ${button} again`
  switch (code) {
    case 'network_error':
      return `The card details could not be sent. Check your connection and ${again}.`
    case 'timeout':
      return `The answer took too long. Check your connection and ${again}.`
    case 'rate_limited':
      return `Too many tries just now. Wait a minute and ${again}.`
    case 'unauthorized':
      return 'This shop can’t take cards here at the moment. Nothing was charged. Contact the shop to pay another way.'
    default:
      return retryable
        ? `Something went wrong on our side. Nothing was charged. Wait a moment and ${again}.`
        : 'Something went wrong on our side. Nothing was charged. Contact the shop to pay another way.'
  }
}
