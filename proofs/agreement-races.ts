import { parseArgs } from 'node:util'
import { dayAt } from '../src/service/domains/agreements/calendar.ts'
import { createAgreementApi, errorCodeOf, until } from './agreements/agreement-api.ts'
import type { AgreementApi, AgreementRequest } from './agreements/agreement-api.ts'
import { openAgreementBooks } from './agreements/agreement-books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { clientIn } from './machines/service-process.ts'
import { byTurns, startSeveral } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { Call } from './merchant/http-api.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const AT_A_TIME = 4
const WORDS_EVERY = 250
const MAX_WAIT_MS = 120_000

/**
 * Lets 64 requests race for each of many agreements, with one API process and with two on one PostgreSQL: payments with one
 * another, with suspends and with cancels, changes of status, amendments, and the debtor's answers with the merchant's. No limit may be
 * passed, as many requests must win as the contract allows, all others must be told why not, no payment may overtake a change or be overtaken by one,
 * and in the end the service and the network must agree.
 */
export async function agreementRacing(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, races: { type: 'string' } },
  })
  const races = Number(values.races ?? (values.short ? agreementRaces.length : 1000))
  for (const processes of values.short ? [2] : [1, 2])
    await inFolder((folder, atEnd) => race({ folder, atEnd, processes, races }, say))
}

interface Run {
  folder: string
  atEnd: AtEnd
  processes: number
  races: number
}

async function race({ folder, atEnd, processes, races }: Run, say: Say): Promise<void> {
  // Both processes have this address as their issuer, so each takes the other's access tokens.
  const world = await startSeveral(folder, processes, { SVC_BASE_URL: 'http://localhost:8080' })
  atEnd(world.stop)
  const http = createHttpApi(byTurns(world.services))
  atEnd(http.close)
  const api = createAgreementApi(http, clientIn(folder))
  const payments = new Map<string, number>()
  /** Nobody changes these but the merchant, so their banks have what the service has whenever a payment comes. */
  const merchantAlone = new Set<string>()
  let done = 0
  await someAtATime(races, AT_A_TIME, async (number) => {
    const kind = agreementRaces[number % agreementRaces.length]
    if (kind === undefined) throw new Error('there is no race')
    const id = await api.makeActive(kind.request)
    payments.set(id, await run(api, kind, id))
    if (!Object.keys(kind.racers).some((name) => name.startsWith('debtor'))) merchantAlone.add(id)
    done += 1
    if (done % WORDS_EVERY === 0) say(`${done} races`)
  })
  const books = openAgreementBooks(world.connectionString)
  await until(async () => (await books.unfinished(dayAt(Date.now()))) === 0, MAX_WAIT_MS)
  const made = await books.payments()
  const faults = [
    ...(await books.differences()),
    ...(await books.mandateDifferences()),
    ...[...payments]
      .filter(([id, accepted]) => (made.get(id) ?? 0) !== accepted)
      .map(([id, accepted]) => `${id} has ${made.get(id) ?? 0} payments, ${accepted} were accepted`),
    ...[...(await books.outOfOrder())]
      .filter(([id]) => merchantAlone.has(id))
      .map(
        ([id, count]) =>
          `${id}: ${count} payments were accepted, and came to the bank while it was not active`,
      ),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const accepted = [...payments.values()].reduce((sum, count) => sum + count, 0)
  say(
    `${races} races × ${RACERS} requests of ${agreementRaces.length} kinds, ${processes} API process(es): ${accepted} payments, ` +
      'no limit passed, none out of order, all others refused with their reason; agreements, histories, mandates and ledger equal',
  )
}

interface End {
  name: string
  status: number
  code: string | null
}

/** Sends all requests of a race at once, and returns how many payments were accepted. Throws unless as many win as the race allows. */
async function run(api: AgreementApi, { name, racers, refusals }: Race, id: string): Promise<number> {
  const kinds = Object.entries(racers)
  const ends = await Promise.all(
    Array.from({ length: RACERS }, (_, number) => send(api, id, racerAt(kinds, number))),
  )
  const faults = [
    ...kinds.flatMap(([kind, { wins }]) => {
      const won = ends.filter((end) => end.name === kind && end.code === null).length
      return won < wins[0] || won > wins[1] ? [`${kind} has ${won} winners, not ${wins.join(' to ')}`] : []
    }),
    ...ends
      .filter(({ code }) => code !== null && !refusals.includes(code))
      .map((end) => `${end.name} was answered ${end.status} ${end.code ?? ''}`),
  ]
  if (faults.length > 0) throw new Error(`${name} (${id}):\n${[...new Set(faults)].join('\n')}`)
  return ends.filter((end) => end.code === null && end.name.startsWith('pay')).length
}

/** Two requests of each kind in a row: as calls go to the processes by turns, each process gets requests of each kind. */
function racerAt(kinds: readonly [string, Racer][], number: number): [string, Racer] {
  const racer = kinds[Math.floor(number / 2) % kinds.length]
  if (racer === undefined) throw new Error('nobody races')
  return racer
}

async function send(api: AgreementApi, id: string, [name, racer]: [string, Racer]): Promise<End> {
  const answer = await api.send(racer.call(id))
  return { name, status: answer.status, code: errorCodeOf(answer) }
}

/** Kinds of requests that race for one agreement, and what the result must be. */
interface Race {
  name: string
  request: AgreementRequest
  /** The kinds of requests; there are equally many of each. */
  racers: Readonly<Record<string, Racer>>
  /** The error codes of those that do not win. */
  refusals: readonly string[]
}

interface Racer {
  call: (agreementId: string) => Call
  /** How many of the kind win: at least, at most. */
  wins: readonly [min: number, max: number]
}

/** How many requests race at once. */
const RACERS = 64
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
const agreementRaces: readonly Race[] = [
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
