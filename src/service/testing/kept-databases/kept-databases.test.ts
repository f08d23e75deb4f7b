import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { migrations } from '../../platform/database/migrations.ts'
import { agreementCalls } from '../../domains/agreements/testing/agreement-calls.ts'
import { createSignInBed } from '../../domains/users/testing/sign-in-bed.ts'
import { chargeCalls } from '../charge-calls.ts'
import { checkoutCalls } from '../checkout-calls.ts'
import { askForToken } from '../ask-for-token.ts'
import { localMasterKeys } from '../local-master-keys.ts'
import { createTestDatabase } from '../test-database.ts'
import { createTestService } from '../test-service.ts'
import { testStatement } from '../test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../webhook-receiver.ts'

/*
 * One database of each version that changed the schema: its rows, by table. `npm run databases:keep` adds the one of this version,
 * which is then never written again.
 */
const FOLDER = import.meta.dirname
const isWriting = process.env['KEEP_DATABASE'] !== undefined

const masterKeys = localMasterKeys(`kept:${Buffer.alloc(32, 'kept').toString('base64')}`)

const Rows = v.record(v.string(), v.array(v.looseObject({})))
type Rows = v.InferOutput<typeof Rows>
const Merchants = v.array(v.object({ id: v.string() }))
const Charges = v.array(
  v.object({ _id: v.string(), reference: v.optional(v.nullable(v.string()), null), status: v.string() }),
)

const tables = testStatement<{ name: string }>(
  't_tables_to_keep',
  `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
   WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'sandbox_gateway', 'sandbox_network')
     AND table_name NOT IN ('rate_windows', 'passkey_challenges') ORDER BY 1`,
)

/** Runs the steps that the database had, and puts its rows in. */
async function restored(rows: Rows): Promise<Database> {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const steps = v.parse(v.array(v.object({ version: v.string() })), rows['public.schema_migrations'])
  const versions = new Set(steps.map(({ version }) => version))
  await migrate(
    database,
    migrations.filter(({ version }) => versions.has(version)),
  )
  const inserts = Object.entries(rows).map(
    ([table, some]) =>
      `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE
       SELECT * FROM json_populate_recordset(NULL::${table}, '${JSON.stringify(some).replaceAll("'", "''")}');`,
  )
  // Without the checks of foreign keys, as tables are in the order of their names.
  await database.script(`BEGIN; SET LOCAL session_replication_role = replica; ${inserts.join('\n')} COMMIT`)
  return database
}

/** A database with what merchants, payers and people have in it. */
async function makeRows(): Promise<Rows> {
  const { service, addPerson, signedIn } = await createSignInBed({ masterKeys })
  onTestFinished(() => service.close())
  const receiver = await createWebhookReceiver()
  onTestFinished(() => receiver.close())
  await makeWebhook(service, { url: receiver.url })
  const charges = chargeCalls(service)
  await service.authorise({ reference: 'held' })
  const { _id: captured } = await service.authorise({ reference: 'captured' })
  await charges.capture(captured)
  await charges.refund(captured, { amount: '4.00' })
  await charges.sell({ amount: '9000.68', currency: 'AUD', token: await service.tokenise() })
  await service.tokenise()
  await checkoutCalls(service).make({ reference: 'checkout' })
  const agreements = await agreementCalls(service)
  const { _id: agreement } = await agreements.createActive()
  await agreements.pay(agreement, { amount: '10.00', reference: 'payment' })
  await agreements.exchange()
  await signedIn(await addPerson())
  await sendWebhooks(service)
  const rows: Rows = {}
  for (const { name } of await service.database.run(tables, [])) {
    const all = testStatement<{ row: object }>(`t_rows_of_${name}`, `SELECT to_json(t) AS row FROM ${name} t`)
    const found = await service.database.run(all, [])
    if (found.length > 0) rows[name] = found.map(({ row }) => ({ ...row }))
  }
  return rows
}

it.runIf(isWriting)('keeps a database of this version', async () => {
  const { version } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(readFileSync('package.json', 'utf8')),
  )
  const file = `${FOLDER}/${version}.json`
  if (existsSync(file)) return
  const written = Object.entries(await makeRows()).map(
    ([table, rows]) =>
      `${JSON.stringify(table)}: [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  )
  writeFileSync(file, `{\n${written.join(',\n')}\n}\n`)
})

const kept = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

describe.each(kept)('a database of %s', (name) => {
  it('is brought up to date, and what is in it is read, opened and changed', async () => {
    const rows = v.parse(Rows, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')))
    const database = await restored(rows)
    const service = await createTestService({ database, masterKeys })
    onTestFinished(() => service.close())
    const [{ id: merchantId } = { id: '' }] = v.parse(Merchants, rows['public.merchants'])
    const secretKey = (await service.merchants.keys.roll(merchantId, 'secret', 0))?.key ?? ''
    const ask = async (method: 'GET' | 'POST', url: string) =>
      (await service.call({ method, url, headers: { 'x-user-secret-key': secretKey } })).body.resource.data
    const charges = async () =>
      v.parse(Charges, await ask('GET', '/v1/charges')).map(({ reference, status }) => [reference, status])

    expect(await charges()).toEqual([
      [null, 'processing'],
      ['captured', 'complete'],
      ['held', 'pending'],
    ])
    await service.runJob('resolve attempts')
    const held = v
      .parse(Charges, await ask('GET', '/v1/charges'))
      .find(({ reference }) => reference === 'held')
    await database.script(`
      UPDATE charges SET hold_expires_at = now() + interval '1 day' WHERE hold_expires_at IS NOT NULL;
      UPDATE sandbox_gateway.holds SET expires_at = now() + interval '1 day'`)
    await ask('POST', `/v1/charges/${held?._id ?? ''}/capture`)
    expect(await charges()).toEqual([
      [null, 'pending'],
      ['captured', 'complete'],
      ['held', 'complete'],
    ])

    expect(await ask('GET', '/v1/checkouts')).toMatchObject([{ reference: 'checkout' }])
    expect(await ask('GET', '/v1/webhooks')).toHaveLength(1)
    const token = await askForToken(service.app, service.oauth.clients, merchantId, SCOPES)
    const { create, list } = await agreementCalls(service, token)
    expect((await list()).body.resource.data).toMatchObject([
      { status: 'active', creditor: { account: { bsb: '802985' } } },
    ])
    expect((await create()).status).toBe(201)
  })
})
