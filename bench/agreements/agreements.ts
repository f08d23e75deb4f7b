import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import * as v from 'valibot'
import { dataDirOf, startService } from '../../proofs/machines/service-process.ts'
import { startWebhookServer } from '../../proofs/merchant/webhook-server.ts'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { openConnection } from '../http-connection.ts'
import { createAgreementsClient, DemoKeys, makeTemplates } from './agreements-client.ts'
import type { AgreementsClient } from './agreements-client.ts'
import { quantile, underLoad } from './api-load.ts'
import type { Latencies, Requests } from './api-load.ts'
import { beginDay, seedAgreements } from './seed.ts'
import type { Size, Templates } from './seed.ts'

type Say = (line: string) => void

/** How long the API is measured while nothing is collected. */
const QUIET_SECONDS = 20
/** How many agreements are read and paid in turn. */
const SAMPLE = 500

/**
 * A day of collection on many agreements: payments a second to `settled`, and how much the API and webhooks slow down meanwhile. The
 * built service is a process of its own, on the embedded PostgreSQL (fsync on) and the sandbox network; all share the machine.
 */
export async function benchAgreements(say: Say, parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      agreements: { type: 'string', default: '1000000' },
      due: { type: 'string', default: '50000' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres(folder, say)
  const client = new pg.Client({ connectionString: server.connectionString })
  mkdirSync(dataDirOf(folder))
  const service = await startService({ folder, databaseUrl: server.connectionString })
  try {
    await client.connect()
    const keys = v.parse(DemoKeys, JSON.parse(readFileSync(join(dataDirOf(folder), 'demo.json'), 'utf8')))
    const size = { agreements: Number(values.agreements), due: Number(values.due) }
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format()
    const making = await createAgreementsClient(service.port, keys)
    const templates = await makeTemplates(making, Number(today.slice(-2)))
    making.close()
    await fill(client, size, templates, today, say)
    // While the tables were filled, the service has closed the first client's idle connections.
    const api = await createAgreementsClient(service.port, keys)
    await measure(
      { client, api, port: service.port, secretKey: keys.secret_key, today, say },
      templates.adhoc,
    )
    api.close()
  } finally {
    await client.end()
    await service.stop()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

interface Bed {
  client: pg.Client
  api: AgreementsClient
  port: number
  secretKey: string
  /** The day in Sydney. */
  today: string
  say: Say
}

async function fill(
  client: pg.Client,
  size: Size,
  templates: Templates,
  today: string,
  say: Say,
): Promise<void> {
  await client.query('UPDATE agreements SET next_due_on = NULL')
  const began = performance.now()
  const due = await seedAgreements(client, size, templates, today)
  say(
    `${String(size.agreements)} agreements, ${String(due)} due, filled in ${inSeconds(performance.now() - began)}`,
  )
}

async function measure(bed: Bed, adhocId: string): Promise<void> {
  const { client, api, say } = bed
  const known = await sample(client, adhocId)
  say('\nreads, one at a time                                         p50     p95 (ms)')
  await benchReads(api, { ...known, paidId: adhocId }, say)
  await collect(bed, known.payable)
}

async function collect(bed: Bed, payable: readonly string[]): Promise<void> {
  const { client, api, today, say } = bed
  let delivered = 0
  const webhooks = await startWebhookServer(() => {
    delivered += 1
    return true
  })
  await addWebhook(bed, webhooks.url)
  const requests = requestsOf(payable)
  await quiet(api, requests, 3)
  const before = await quiet(api, requests, QUIET_SECONDS)
  const began = await beginDay(client, today)
  const during = await underLoad(api, requests, () => isCollected(client, today))
  const sealed = await untilNone(client, 'SELECT FROM event_outbox LIMIT 1')
  const told = await untilNone(
    client,
    'SELECT FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE d.next_at IS NOT NULL LIMIT 1',
  )
  const after = await quiet(api, requests, QUIET_SECONDS)
  await webhooks.close()
  const { settled, madeAfter, settledAfter } = await readCollected(client, today, began)
  say(
    `\n${String(settled)} payments made in ${madeAfter.toFixed(1)} s, settled in ${settledAfter.toFixed(1)} s`,
  )
  say(
    `settled a second: ${(settled / settledAfter).toFixed(0)}; load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}`,
  )
  say(
    `events sealed ${sealed.toFixed(1)} s later, ${String(delivered)} webhooks delivered ${(sealed + told).toFixed(1)} s later`,
  )
  sayLatencies(say, { before, during, after })
}

const quiet = async (api: AgreementsClient, requests: Requests, seconds: number): Promise<Latencies> => {
  const end = performance.now() + seconds * 1000
  return underLoad(api, requests, () => Promise.resolve(performance.now() > end))
}

function requestsOf(ids: readonly string[]): Requests {
  const idOf = (n: number) => ids[n % ids.length] ?? ''
  return {
    'GET /agreements/{id}': (api, n) => api.get(`/agreements/${idOf(n)}`),
    'GET /agreements': (api) => api.get('/agreements?status=active&limit=25'),
    'POST …/payments': (api, n) =>
      api.post(`/agreements/${idOf(n)}/payments`, { amount: '10.00', reference: `invoice-${String(n)}` }),
  }
}

function sayLatencies(say: Say, phases: Readonly<Record<'before' | 'during' | 'after', Latencies>>): void {
  say(
    '\nlatency, ms (p50 / p95)    before           during           after            during / before and after',
  )
  for (const kind of Object.keys(phases.before)) {
    const of = (phase: keyof typeof phases, share: number) => quantile(phases[phase][kind] ?? [], share)
    const cell = (phase: keyof typeof phases) =>
      `${of(phase, 0.5).toFixed(1)} / ${of(phase, 0.95).toFixed(1)}`.padEnd(17)
    const ratio = (share: number) =>
      (of('during', share) / ((of('before', share) + of('after', share)) / 2)).toFixed(2)
    const ratios = `${ratio(0.5)} / ${ratio(0.95)}`
    say(`${kind.padEnd(27)}${cell('before')}${cell('during')}${cell('after')}${ratios}`)
  }
}

/** A sample of the demo merchant's agreements that can be paid at any time, and of its payments. */
async function sample(client: pg.Client, adhocId: string) {
  const idsOf = async (question: string): Promise<string[]> =>
    (await client.query<{ id: string }>(question)).rows.map(({ id }) => id)
  const merchant = `(SELECT merchant_id FROM agreements WHERE id = '${adhocId}')`
  const payable = await idsOf(
    `SELECT id FROM agreements WHERE merchant_id = ${merchant} AND type = 'adhoc' AND status = 'active' ORDER BY md5(id) LIMIT ${String(SAMPLE)}`,
  )
  const paymentIds = await idsOf(
    `SELECT p.id FROM agreement_payments p WHERE p.merchant_id = ${merchant} ORDER BY md5(id) LIMIT ${String(SAMPLE)}`,
  )
  return { payable, agreementIds: payable, paymentIds }
}

async function addWebhook({ port, secretKey }: Bed, url: string): Promise<void> {
  const connection = await openConnection(port)
  await connection.post('/v1/webhooks', `x-user-secret-key: ${secretKey}\r\n`, JSON.stringify({ url }))
  connection.close()
  await sleep(500)
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`

/** The result of collecting one day's payments; times are in s since the day began. */
interface Collected {
  settled: number
  /** When the last one was made, and when it was settled. */
  madeAfter: number
  settledAfter: number
}

const WAITING = `
  SELECT EXISTS (SELECT FROM agreements WHERE status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= $1)
      OR EXISTS (SELECT FROM agreement_payments WHERE next_at IS NOT NULL AND status = 'received' AND due_on = $1)
      OR EXISTS (SELECT FROM agreement_payments WHERE next_at IS NOT NULL AND due_on = $1
                 AND status IN ('processing', 'under_investigation')) AS is_waiting`

/** Whether every payment of the day has been made and has ended. */
async function isCollected(client: pg.Client, today: string): Promise<boolean> {
  const { rows } = await client.query<{ is_waiting: boolean }>(WAITING, [today])
  return rows[0]?.is_waiting === false
}

async function readCollected(client: pg.Client, today: string, began: Date): Promise<Collected> {
  const { rows } = await client.query<Collected>(
    `SELECT count(*)::integer AS settled, extract(epoch FROM max(created_at) - $2)::float8 AS "madeAfter",
            extract(epoch FROM max(ended_at) - $2)::float8 AS "settledAfter"
     FROM agreement_payments WHERE due_on = $1 AND status = 'settled'`,
    [today, began],
  )
  if (rows[0] === undefined) throw new Error('nothing was counted')
  return rows[0]
}

/** How long it takes until a query returns no rows any more, in s. */
async function untilNone(client: pg.Client, question: string): Promise<number> {
  const began = performance.now()
  while ((await client.query(question)).rows.length > 0) await sleep(50)
  return (performance.now() - began) / 1000
}

const TIMES = 60

const Page = v.object({ resource: v.object({ next: v.string() }) })

interface Known {
  agreementIds: readonly string[]
  /** Of the agreement with many payments. */
  paidId: string
  paymentIds: readonly string[]
}

/** Every read of agreements and payments, with each of its filters, one after another: p50 and p95 in ms. */
async function benchReads(
  client: AgreementsClient,
  known: Known,
  say: (line: string) => void,
): Promise<void> {
  const first = v.parse(Page, JSON.parse(await client.get('/agreements?limit=100')))
  const month = 'created_at.from=2026-06-01T00:00:00Z&created_at.to=2026-07-01T00:00:00Z'
  const paths: Readonly<Record<string, (n: number) => string>> = {
    'GET /agreements/{id}': (n) => `/agreements/${pick(known.agreementIds, n)}`,
    'GET /payments/{id}': (n) => `/payments/${pick(known.paymentIds, n)}`,
    ...listsOf('/agreements', {
      '': '',
      status: 'status=suspended',
      type: 'type=oneoff',
      reference: 'reference=subscription-100',
      'status, type': 'status=cancelled&type=adhoc',
      'status, type, reference': 'status=active&type=adhoc&reference=subscription-100',
      created_at: month,
      'status, created_at': `status=expired&${month}`,
      skip: 'skip=10000',
      cursor: `cursor=${first.resource.next}`,
    }),
    ...listsOf(`/agreements/${known.paidId}/payments`, {
      '': '',
      status: 'status=failed',
      reference: 'reference=invoice-4000',
      created_at: month,
    }),
  }
  for (const [name, path] of Object.entries(paths)) {
    const took: number[] = []
    for (let n = 0; n < TIMES; n += 1) {
      const began = performance.now()
      await client.get(path(n))
      took.push(performance.now() - began)
    }
    say(
      `${name.padEnd(58)}${quantile(took, 0.5).toFixed(1).padStart(6)}${quantile(took, 0.95).toFixed(1).padStart(8)}`,
    )
  }
}

function listsOf(path: string, queries: Readonly<Record<string, string>>): Record<string, () => string> {
  const list = path.replace(/[0-9a-f]{24}/, '{id}')
  return Object.fromEntries(
    Object.entries(queries).map(([by, query]) => [
      `GET ${list}${by === '' ? '' : ` by ${by}`}`,
      () => `${path}?${query}`,
    ]),
  )
}

function pick(ids: readonly string[], n: number): string {
  const id = ids[n % ids.length]
  if (id === undefined) throw new Error('there is nothing to read')
  return id
}
