import { make } from '../make.js'

/** What each state of a payment means to the subscriber, and the colour of its badge. */
const STATES = {
  received: { words: 'asked for', tone: 'pending' },
  processing: { words: 'on its way', tone: 'pending' },
  settled: { words: 'paid', tone: 'complete' },
  failed: { words: 'not paid', tone: 'failed' },
  under_investigation: { words: 'your bank is looking into it', tone: 'pending' },
}
const FAILURES = {
  insufficient_funds: 'There was not enough money in the account.',
  account_closed: 'The account is closed.',
  agreement_not_active: 'The agreement was paused or had ended.',
  limit_exceeded: 'It was more than you agreed to.',
  refused: 'Your bank refused it.',
}

export const paymentWords = (payment) => STATES[payment.status]?.words ?? payment.status

/** One payment as a line of a list. */
export function paymentLine(payment) {
  const tone = STATES[payment.status]?.tone ?? ''
  const failure = FAILURES[payment.failure] ?? ''
  return make(
    'li',
    {},
    make('span', {}, payment.description, make('small', {}, payment.at)),
    make('strong', {}, payment.amount),
    make('span', { class: 'badge', 'data-status': tone }, paymentWords(payment)),
    ...(failure === '' ? [] : [make('small', { class: 'why' }, failure)]),
  )
}
