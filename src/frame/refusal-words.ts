/** Words on a field that passed every check here and was refused by the service all the same. */
export const REFUSED_FIELD_WORDS = 'This was not accepted. Check it on the card.'

/** Words for a card that the service refused without naming a field. */
export const REFUSED_CARD_WORDS = 'These card details were not accepted. Check them, or use another card.'

const CANNOT_PAY_HERE =
  'Cards can’t be taken here at the moment. Nothing was charged. Contact the shop to pay another way.'

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
      return CANNOT_PAY_HERE
    default:
      return retryable
        ? `Something went wrong on our side. Nothing was charged. Wait a moment and ${again}.`
        : CANNOT_PAY_HERE
  }
}
