import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import * as v from 'valibot'
import { AuthenticationSession } from '../src/contract/api/charges/authentication.ts'
import type { AuthenticationStep } from '../src/contract/api/charges/authentication.ts'
import { runningPostgres } from '../src/service/platform/database/embedded/running-postgres.ts'
import { inTime } from '../src/service/platform/in-time.ts'
import { testCard } from '../src/service/testing/test-card.ts'
import { auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { dataDirOf, keysIn, startService } from './machines/service-process.ts'
import type { Keys } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { Call, HttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import type { Journal, Movement } from './merchant/journal.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16
const WORDS_EVERY = 10
/** Beside the ports that the proofs' services take. */
const BANK_PORT = Number(process.env['SVC_TEST_FIRST_PORT'] ?? '18080') + 39

/**
 * Kills the service again and again while card holders are asked by their banks: some pass, some give the wrong code, cancel or leave; pages are
 * doubled, what banks send back comes twice, late, forged and before the page's own word. In the end a charge is paid if and only if its bank
 * has authenticated the card holder, once.
 */
export async function authentications(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const rounds = Number(values.rounds ?? (values.short ? 2 : 200))
  await inFolder((folder) => killAgainAndAgain(folder, rounds, say))
}

async function killAgainAndAgain(folder: string, rounds: number, say: Say): Promise<void> {
  const given = { folder, settings: { SVC_SANDBOX_BANK_PORT: String(BANK_PORT) } }
  let service = await startService(given)
  const connectionString = runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  const books = openBooks(connectionString)
  const journal = createJournal()
  const [api, bank] = [createHttpApi(() => service.port), createHttpApi(() => BANK_PORT)]
  const buyers = openBuyers({ api, bank, keys: keysIn(folder), journal })
  for (let round = 1; round <= rounds; round += 1) {
    await underLoad(journal)
    if (service.hasDied()) throw new Error('the service has ended by itself')
    await service.kill()
    service = await startService(given)
    await auditMeanwhile(journal, books)
    if (round % WORDS_EVERY === 0) say(`${round} kills, ${journal.acknowledged.size} charges paid`)
  }
  await buyers.close()
  const ended = await endAll(connectionString)
  await auditMeanwhile(journal, books)
  await judge(connectionString, journal)
  api.close()
  bank.close()
  await service.stop()
  say(
    `${rounds} kills: ${buyers.count()} charges, ${journal.acknowledged.size} paid after authentication, ${journal.refused.size} refused, ` +
      `${ended} left; 0 lost, 0 doubled, 0 paid without the authentication that was asked for`,
  )
}

/** What a card holder does at the bank. */
const COURSES = [
  'passes',
  'passes',
  'passes in two tabs',
  'passes after a forgery',
  'fails',
  'cancels',
  'gives up',
  'leaves',
] as const
type Course = (typeof COURSES)[number]

/** Cards whose bank asks: at once, after a hidden step, and only after it had declined. */
const CARDS = ['4970110000001011', '4970110000002027', '4970110000004015'] as const

interface World {
  api: HttpApi
  bank: HttpApi
  keys: Keys
  journal: Journal
}

/** How long after the last new order everything must have an end. */
const MAX_CLOSING_MS = 60_000

function openBuyers(world: World) {
  let isOpen = true
  let count = 0
  const faults: unknown[] = []
  const under = new Map<number, Course>()
  const buyer = async () => {
    while (isOpen) {
      const number = count
      count += 1
      const course = COURSES[Math.floor(Math.random() * COURSES.length)] ?? 'passes'
      under.set(number, course)
      await buy(world, number, course).catch((fault: unknown) => faults.push(fault))
      under.delete(number)
    }
  }
  const buying = Promise.all(Array.from({ length: CLIENTS }, buyer))
  return {
    count: () => count,
    async close() {
      isOpen = false
      await inTime(buying, MAX_CLOSING_MS, () => {
        throw new Error(`these have no end: ${JSON.stringify([...under])}`)
      })
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}

const Charge = v.object({
  _id: v.string(),
  status: v.string(),
  _3ds: v.optional(v.object({ id: v.string(), token: v.optional(v.string()) })),
})
const Envelope = v.object({
  error: v.nullable(v.object({ code: v.string() })),
  resource: v.object({ data: v.unknown() }),
})
const IS_TO_REPEAT: ReadonlySet<number> = new Set([409, 429, 500, 502, 503])

/** Repeats a call until it has an answer that is final; a sale that never reached the gateway has one. */
async function until(api: HttpApi, call: Call): Promise<{ code: string | null; data: unknown }> {
  for (;;) {
    const answer = await api.send(call).catch(() => null)
    if (answer === null) {
      await sleep(50)
      continue
    }
    const { error, resource } = v.parse(Envelope, JSON.parse(answer.text))
    const code = error?.code ?? null
    if (!IS_TO_REPEAT.has(answer.status) || code === 'gateway_unavailable')
      return { code, data: resource.data }
    await sleep(1000 * Number(answer.headers['retry-after'] ?? '1'))
  }
}

/** The ends of a charge; `pre_authentication_pending` is one for a card holder who has left. */
const IS_UNDECIDED: ReadonlySet<string> = new Set(['processing', 'pre_authentication_pending'])

async function buy(world: World, number: number, course: Course): Promise<void> {
  const { api, keys, journal } = world
  const order = `order-${number}`
  const cents = 1000 + (number % 90_000)
  const movement: Movement = `${order} sale ${cents}`
  const source = {
    ...testCard,
    card_number: CARDS[number % CARDS.length],
    browser: { language: 'en', time_zone_offset: 0, screen_width: 390, screen_height: 844, color_depth: 24 },
  }
  const headers = { 'x-user-public-key': keys.publicKey }
  const token = await until(api, {
    method: 'POST',
    path: '/v1/payment_sources/tokens',
    headers,
    body: source,
  })
  const secret = { 'x-user-secret-key': keys.secretKey }
  journal.ask(movement)
  const sold = await until(api, {
    method: 'POST',
    path: '/v1/charges',
    headers: { ...secret, 'idempotency-key': order },
    body: { amount: (cents / 100).toFixed(2), currency: 'AUD', token: token.data, reference: order },
  })
  const charge = v.parse(Charge, sold.data)
  const page = charge._3ds
  if (charge.status === 'pre_authentication_pending' && page?.token !== undefined)
    await authenticate(world, { id: page.id, token: page.token }, course)
  const read = () => until(api, { method: 'GET', path: `/v1/charges/${charge._id}`, headers: secret })
  let now = v.parse(Charge, (await read()).data)
  while (course !== 'leaves' && IS_UNDECIDED.has(now.status)) {
    await sleep(200)
    now = v.parse(Charge, (await read()).data)
  }
  if (now.status === 'complete') journal.acknowledge(movement, order, now.status)
  else if (!IS_UNDECIDED.has(now.status)) journal.refuse(movement)
}

interface Page {
  id: string
  token: string
}

async function authenticate(world: World, page: Page, course: Course): Promise<void> {
  if (course === 'leaves') return
  if (course === 'passes in two tabs') {
    await Promise.all([holder(world, page, course), holder(world, page, course)])
    return
  }
  await holder(world, page, course)
}

/** A card holder before the page: goes on until there is nothing to do. */
async function holder(world: World, { id, token }: Page, course: Course): Promise<void> {
  const { api } = world
  const path = `/v1/authentications/${id}`
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (call: Pick<Call, 'method' | 'body'>) =>
    v.parse(AuthenticationSession, (await until(api, { ...call, path, headers })).data)
  let session = await ask({ method: 'GET' })
  while (session.status === 'pending') {
    if (course === 'gives up') session = await ask({ method: 'DELETE' })
    else {
      if (session.step !== null)
        await act(world, id, session.step, { course, number: session.step_number, ask })
      session = await ask({ method: 'GET' })
      if (session.status === 'pending' && session.step === null) await sleep(200)
    }
  }
}

interface Acting {
  course: Course
  number: number
  ask: (call: Pick<Call, 'method' | 'body'>) => Promise<AuthenticationSession>
}

async function act(world: World, id: string, step: AuthenticationStep, { course, number, ask }: Acting) {
  if (step.kind === 'method') {
    await send(world.bank, step.url, { threeDSMethodData: step.data })
    await ask({ method: 'POST', body: { kind: 'method', step_number: number, completed: true } })
    return
  }
  if (step.kind !== 'challenge') throw new Error(`the bank wants a ${step.kind}`)
  if (course === 'passes after a forgery') await comeBack(world, id, { cres: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' })
  const opened = await send(world.bank, step.url, { creq: step.creq })
  if (opened !== null) await answerBank(world, id, opened, course)
}

/** Fills in the bank's page until it sends the browser back, which comes twice. */
async function answerBank(world: World, id: string, opened: string, course: Course): Promise<void> {
  let html: string | null = opened
  for (let tries = 0; html !== null && tries < 5; tries += 1) {
    const { action, fields } = formIn(html)
    if (fields['cres'] !== undefined) {
      await Promise.all([comeBack(world, id, fields), comeBack(world, id, fields)])
      return
    }
    const given =
      course === 'cancels'
        ? { action: 'cancel' }
        : { action: 'code', code: course === 'fails' ? '0000' : '1234' }
    html = await send(world.bank, action, { ...fields, ...given })
  }
}

/** Posts a form to the bank as a browser does; null where no answer comes: the card holder opens the page again. */
async function send(bank: HttpApi, url: string, fields: Record<string, string>): Promise<string | null> {
  const { pathname } = new URL(url, 'http://bank.example')
  const body = new URLSearchParams(fields)
  const answer = await bank.send({ method: 'POST', path: pathname, body }).catch(() => null)
  return answer?.status === 200 ? answer.text : null
}

/** The bank's page sends the browser back; a browser does not repeat what got no answer. */
async function comeBack({ api }: World, id: string, fields: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(fields)
  await api.send({ method: 'POST', path: `/3ds/${id}/return`, body }).catch(() => null)
}

function formIn(html: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? ''
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}

/** Lets the time of all who have left be over, and waits until the service has ended them. Returns how many there were. */
async function endAll(connectionString: string): Promise<number> {
  return withClient(connectionString, async (client) => {
    const over = `
      WITH over AS (UPDATE charge_authentications SET expires_at = now() - interval '1 second' WHERE step IS NOT NULL RETURNING attempt_id)
      UPDATE attempts SET ask_after = now() - interval '1 second' FROM over WHERE id = over.attempt_id AND outcome = 'open'`
    const { rowCount } = await client.query(over)
    for (let waited = 0; waited < 120_000; waited += 500) {
      const { rows } = await client.query("SELECT 1 FROM attempts WHERE outcome = 'open' LIMIT 1")
      if (rows.length === 0) return rowCount ?? 0
      await sleep(500)
    }
    throw new Error('some attempts have no outcome')
  })
}

/** Compares what the banks decided with what was charged. */
async function judge(connectionString: string, { asked }: Journal): Promise<void> {
  const faults = await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ fault: string }>(`
      SELECT c.reference || ': ' || c.status || ', the bank said ' || coalesce(b.trans_status, 'nothing') AS fault
      FROM charges c JOIN attempts a ON a.charge_id = c.id AND a.type = 'sale'
      LEFT JOIN sandbox_gateway.authentications b ON b.attempt_id = a.id
      WHERE (c.status = 'complete') <> (coalesce(b.trans_status, '') IN ('Y', 'A') AND a.authentication ->> 'status' = 'authenticated')
         OR c.status NOT IN ('complete', 'failed', 'not_authenticated')
         OR (b.trans_status IN ('Y', 'A') AND c.status <> 'complete')
      UNION ALL
      SELECT c.reference || ': ' || e.count || ' events of ' || e.type
      FROM charges c JOIN (SELECT subject, type, count(*) FROM events GROUP BY 1, 2 HAVING count(*) > 1) e ON e.subject = c.id
      UNION ALL
      SELECT c.reference || ': paid, and no event says that it was authenticated' FROM charges c
      WHERE c.status = 'complete' AND NOT EXISTS (SELECT FROM events e WHERE e.subject = c.id AND e.type = 'charge.authenticated')`)
    return rows.map(({ fault }) => fault)
  })
  if (asked.size === 0) throw new Error('nothing was bought')
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`)
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
