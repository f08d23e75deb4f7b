import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import * as v from 'valibot'
import { readConfig } from '../../src/service/config.ts'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { createDatabase } from '../../src/service/platform/database/database.ts'
import type { Database } from '../../src/service/platform/database/database.ts'
import { migrate } from '../../src/service/platform/database/migrate.ts'
import { migrations } from '../../src/service/platform/database/migrations.ts'
import { integer } from '../../src/service/platform/database/sql-types.ts'
import { statement } from '../../src/service/platform/database/statement.ts'
import type { Service } from '../../src/service/compose.ts'
import { quantile } from '../agreements/api-load.ts'
import { composeService } from '../compose-service.ts'
import { benchExport } from './export.ts'
import { knownOf, makeTemplates } from './merchant.ts'
import { questionsOf } from './questions.ts'
import type { Questions } from './questions.ts'
import { seedCharges } from './seed.ts'

type Say = (line: string) => void

/** Each question is asked so often. */
const TIMES = 100
/** The dashboard's pool is the service's. */
const CONNECTIONS = 20

const bare = statement({
  name: 'bench_bare_statement',
  values: {},
  columns: { one: integer },
  sql: 'SELECT 1 AS one',
})

/**
 * Every read of the dashboard at a merchant with many charges, timed on the server: from the request to the whole answer, without the
 * network. Beside each stands a bare statement through the same pool, by turns.
 */
export async function benchDashboard(say: Say, parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { charges: { type: 'string', default: '1000000' } },
  })
  const charges = Number(values.charges)
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres(folder, say)
  const { connectionString } = server
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: () => undefined,
  })
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await migrate(database, migrations)
    const session = { merchantId: '' }
    const service = await composeService({
      config: readConfig({}),
      database,
      releaseFolders: [join(process.cwd(), 'dist', 'releases')],
      findSession: () => Promise.resolve(sessionOf(session.merchantId)),
    })
    const { merchantId, templates } = await makeTemplates(service, client)
    session.merchantId = merchantId
    await fill(client, service, charges, templates, say)
    say(`load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}`)
    await ask(service, database, questionsOf(await knownOf(client, merchantId)), say)
    await benchExport(service.dashboard.app, say)
    await service.app.close()
    await service.dashboard.app.close()
  } finally {
    await client.end()
    await database.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

function sessionOf(merchantId: string) {
  const user = { id: 'u', email: 'ada@shop.example', name: 'Ada' }
  return { sessionId: 's', user, merchantId, role: 'owner', freshUntil: null } as const
}

async function fill(
  client: pg.Client,
  service: Service,
  charges: number,
  templates: Parameters<typeof seedCharges>[2],
  say: Say,
): Promise<void> {
  const began = performance.now()
  await seedCharges(client, charges, templates)
  const filled = performance.now()
  const count = service.jobs.find(({ name }) => name === 'count charges')
  const left = 'SELECT (SELECT length FROM event_chain) - seq AS left FROM charge_tally_progress'
  while (Number((await client.query<{ left: string }>(left)).rows[0]?.left) > 0) await count?.work()
  await client.query('VACUUM ANALYZE charge_tallies, charge_declines')
  const { rows } = await client.query<{ events: string }>('SELECT length AS events FROM event_chain')
  const counting = (performance.now() - filled) / 1000
  say(`${String(charges)} charges of one merchant, filled in ${((filled - began) / 1000).toFixed(0)} s`)
  say(`${String(rows[0]?.events)} events counted for the overview in ${counting.toFixed(0)} s`)
}

async function ask(
  { dashboard }: Service,
  database: Database,
  questions: Questions,
  say: Say,
): Promise<void> {
  say(`${''.padEnd(48)}   p50     p95   SELECT 1: p50   p95 (ms)   rows`)
  for (const [name, path] of Object.entries(questions)) {
    const took: number[] = []
    const bareTook: number[] = []
    let rows = ''
    for (let n = 0; n < TIMES; n += 1) {
      bareTook.push(await timed(() => database.run(bare, {})))
      took.push(
        await timed(async () => {
          const { statusCode, body } = await dashboard.app.inject({ url: path(n) })
          if (statusCode !== 200) throw new Error(`${path(n)}: ${body}`)
          rows = rowsIn(body)
        }),
      )
    }
    const figures = [took, bareTook].map((ms) =>
      [0.5, 0.95].map((share) => quantile(ms, share).toFixed(1).padStart(8)).join(''),
    )
    say(`${name.padEnd(46)}${figures.join('       ')}        ${rows}`)
  }
}

const Page = v.object({ resource: v.object({ data: v.unknown(), next: v.optional(v.nullable(v.string())) }) })

/** How many things a page shows; `+` where there may be more. */
function rowsIn(body: string): string {
  const { data, next } = v.parse(Page, JSON.parse(body)).resource
  return Array.isArray(data) ? `${String(data.length)}${typeof next === 'string' ? '+' : ''}` : ''
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
