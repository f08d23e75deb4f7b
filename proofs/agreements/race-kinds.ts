import type { Call } from '../merchant/http-api.ts'
import type { AgreementRequest } from './agreement-api.ts'

/** Kinds of requests that race for one agreement, and what the result must be. */
export interface Race {
  name: string
  request: AgreementRequest
  /** The kinds of requests; there are equally many of each. */
  racers: Readonly<Record<string, Racer>>
  /** The error codes of those that do not win. */
  refusals: readonly string[]
}

export interface Racer {
  call: (agreementId: string) => Call
  /** How many of the kind win: at least, at most. */
  wins: readonly [min: number, max: number]
}

/** How many requests race at once. */
export const RACERS = 64
const ANY: Racer['wins'] = [0, RACERS]
const ONE: Racer['wins'] = [1, 1]

const usage = { amount_type: 'usage', maximum_amount: '300.00' }
const bill = { type: 'adhoc', payment_terms: usage } as const
const accepting = { ...bill, debtor: 'approve' } as const

const pay = (wins: Racer['wins'], more: object = {}): Racer => ({
  wins,
  call: (id) => ({
    method: 'POST',
    path: `/agreements/${id}/payments`,
    body: { amount: '5.00', reference: 'race', ...more },
  }),
})

const change = (
  wins: Racer['wins'],
  action: 'suspend' | 'release' | 'cancel',
  headers: Readonly<Record<string, string>> = {},
): Racer => ({
  wins,
  call: (id) => ({
    method: 'PATCH',
    path: `/agreements/${id}/status`,
    headers,
    body: { action, ...(action !== 'release' && { reason_code: 'customer_request' }) },
  }),
})

const amend = (wins: Racer['wins'], body: object): Racer => ({
  wins,
  call: (id) => ({ method: 'PATCH', path: `/agreements/${id}`, body }),
})

const payer = (wins: Racer['wins'], answer: string): Racer => ({
  wins,
  call: (id) => ({ method: 'POST', path: `/sandbox/bank/agreements/${id}/answers`, body: { answer } }),
})

const newTerms = { payment_terms: { ...usage, maximum_amount: '400.00' } }

/** What must come of many requests at once, by contract §6.4 and §6.5. */
export const agreementRaces: readonly Race[] = [
  {
    name: 'payments at count_per_period',
    request: {
      type: 'recurring',
      debtor: 'approve',
      payment_terms: { ...usage, frequency: 'yearly', count_per_period: 3 },
    },
    racers: { pay: pay([3, 3]) },
    refusals: ['outside_terms'],
  },
  {
    name: 'payments at max_number_of_payments',
    request: { ...accepting, max_number_of_payments: 5 },
    racers: { pay: pay([5, 5]) },
    refusals: ['outside_terms', 'unfulfilled_condition'],
  },
  {
    name: 'payments of a oneoff',
    request: { ...accepting, type: 'oneoff' },
    racers: { pay: pay(ONE) },
    refusals: ['outside_terms', 'unfulfilled_condition'],
  },
  {
    name: 'payments and last payments',
    request: accepting,
    racers: { pay: pay(ANY), 'pay the last': pay(ONE, { last_payment: true }) },
    refusals: ['outside_terms', 'unfulfilled_condition'],
  },
  {
    name: 'payments and suspends',
    request: accepting,
    racers: { pay: pay(ANY), suspend: change(ONE, 'suspend') },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: 'payments and cancels',
    request: accepting,
    racers: { pay: pay(ANY), cancel: change(ONE, 'cancel') },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: 'payments, suspends and releases',
    request: accepting,
    racers: { pay: pay(ANY), suspend: change(ANY, 'suspend'), release: change(ANY, 'release') },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: 'payments, suspends, releases and amendments that the debtor accepts',
    request: accepting,
    racers: {
      pay: pay(ANY),
      suspend: change(ANY, 'suspend'),
      release: change(ANY, 'release'),
      amend: amend(ANY, newTerms),
    },
    refusals: ['unfulfilled_condition', 'amendment_pending'],
  },
  {
    name: 'suspends, releases and cancels',
    request: accepting,
    racers: {
      suspend: change(ANY, 'suspend'),
      release: change(ANY, 'release'),
      cancel: change(ONE, 'cancel'),
    },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: 'suspends of the same version',
    request: accepting,
    racers: { suspend: change(ONE, 'suspend', { 'if-match': '"1"' }) },
    refusals: ['precondition_failed'],
  },
  {
    name: 'amendments that the debtor is asked for',
    request: bill,
    racers: { amend: amend(ONE, newTerms) },
    refusals: ['amendment_pending'],
  },
  {
    name: 'amendments that take effect at once',
    request: accepting,
    racers: { amend: amend([RACERS, RACERS], { metadata: { race: 'yes' } }) },
    refusals: [],
  },
  {
    name: "the debtor's and the merchant's suspends and releases",
    request: bill,
    racers: {
      suspend: change(ANY, 'suspend'),
      release: change(ANY, 'release'),
      'debtor suspends': payer(ANY, 'suspend'),
      'debtor releases': payer(ANY, 'release'),
    },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: "the debtor's and the merchant's cancels",
    request: bill,
    racers: {
      pay: pay(ANY),
      suspend: change(ANY, 'suspend'),
      cancel: change([0, 1], 'cancel'),
      'debtor suspends': payer(ANY, 'suspend'),
      'debtor cancels': payer([0, 1], 'cancel'),
    },
    refusals: ['unfulfilled_condition'],
  },
  {
    name: "amendments, the debtor's answers to them, and cancels",
    request: bill,
    racers: {
      amend: amend(ANY, newTerms),
      'debtor accepts': payer(ANY, 'accept_amendment'),
      'debtor declines': payer(ANY, 'decline_amendment'),
      cancel: change(ONE, 'cancel'),
    },
    refusals: ['unfulfilled_condition', 'amendment_pending'],
  },
]
