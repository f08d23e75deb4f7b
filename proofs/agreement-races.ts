import { parseArgs } from 'node:util'
import { dayAt } from '../src/service/domains/agreements/calendar.ts'
import { createAgreementApi, errorCodeOf, until } from './agreements/agreement-api.ts'
import type { AgreementApi } from './agreements/agreement-api.ts'
import { openAgreementBooks } from './agreements/agreement-books.ts'
import { RACERS, agreementRaces } from './agreements/race-kinds.ts'
import type { Race, Racer } from './agreements/race-kinds.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { clientIn } from './machines/service-process.ts'
import { byTurns, startSeveral } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
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
  for (const processes of [1, 2])
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
