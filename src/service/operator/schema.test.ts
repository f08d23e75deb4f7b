import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import type { Database } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { migrations } from '../platform/database/migrations.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { testStatement } from '../testing/test-statement.ts'
import { call } from '../testing/operate.ts'

/** This version's steps, and two that a later one may have. */
const LAST = '999-colours-by-name'
const lacksLast = [...migrations, { version: '998-colours', sql: '\nCREATE TABLE colours (name text);\n' }]
const steps = [
  ...lacksLast,
  { version: LAST, sql: '\nCREATE INDEX IF NOT EXISTS colours_by_name ON colours (name);\n' },
]

let database: Database
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const svcMigrate = (...options: string[]) =>
  call(['migrate', ...options], { schema: { migrations: steps, onDatabase: (work) => work(database) } })

const tables = testStatement<{ count: number }>(
  't_tables',
  'SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = current_schema()',
)
const Steps = v.object({
  steps: v.array(v.strictObject({ name: v.string(), state: v.string(), applied_at: v.nullable(v.string()) })),
})

describe('svc migrate', () => {
  it('runs what is missing, names each step that it has run, and does nothing the second time', async () => {
    await migrate(database, lacksLast)
    expect(await svcMigrate()).toMatchObject({
      code: 0,
      said: `${LAST}\nThe schema is up to date. Steps that were run: 1.`,
    })
    expect((await svcMigrate()).said).toBe(`The schema is up to date: ${LAST}.`)
    expect(JSON.parse((await svcMigrate('--json')).said)).toEqual({ applied: [] })
  })

  it('called several times at once runs each step once', async () => {
    const ended = await Promise.all(Array.from({ length: 4 }, () => svcMigrate('--json')))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const applied = ended.flatMap(
      ({ said }) => v.parse(v.object({ applied: v.array(v.string()) }), JSON.parse(said)).applied,
    )
    expect(applied.sort()).toEqual(steps.map(({ version }) => version).sort())
  })

  it('of a newer schema changes nothing, and says what to do', async () => {
    await migrate(database, [...lacksLast, { version: '9999-newer', sql: 'CREATE TABLE newer (id int)' }])
    const { code, complained } = await svcMigrate()
    expect([code, complained]).toEqual([
      1,
      expect.stringMatching(/^svc: [^\n]*newer[^\n]*9999-newer[^\n]*$/m),
    ])
    const { said } = await svcMigrate('--status', '--json')
    const [last, newer] = v.parse(Steps, JSON.parse(said)).steps.slice(-2)
    expect(last).toEqual({ name: LAST, state: 'pending', applied_at: null })
    expect(newer).toMatchObject({ name: '9999-newer', state: 'unknown' })
    expect(newer?.applied_at).toMatch(/^20/)
  })
})

describe('svc migrate --status', () => {
  it('lists every step with its state and time, in an empty database too, and changes nothing', async () => {
    const empty = v.parse(Steps, JSON.parse((await svcMigrate('--status', '--json')).said))
    expect(empty.steps).toEqual(
      steps.map(({ version }) => ({ name: version, state: 'pending', applied_at: null })),
    )
    expect(await database.run(tables, [])).toEqual([{ count: 0 }])
    await migrate(database, lacksLast)
    const { said, complained } = await svcMigrate('--status')
    expect(said).toMatch(/^001-\S+ +applied {2}20\S+Z$/m)
    expect(said.split('\n').at(-1)).toMatch(new RegExp(`^${LAST} +pending$`))
    expect(complained).toBe(`Applied: ${String(lacksLast.length)}. Pending: 1.`)
  })
})

describe('svc migrate --dry-run', () => {
  it('lists what would be run, its statements where they are asked for, and changes nothing', async () => {
    await migrate(database, lacksLast)
    const before = await database.run(tables, [])
    expect(await svcMigrate('--dry-run')).toEqual({
      code: 0,
      said: LAST,
      complained: 'Steps that would be run: 1. Nothing was changed.',
    })
    const sql = steps.at(-1)?.sql.trim() ?? ''
    expect((await svcMigrate('--verbose')).said.trim()).toBe(`-- ${LAST}\n${sql}`)
    const { said } = await svcMigrate('--dry-run', '--json')
    expect(JSON.parse(said)).toEqual({ steps: [{ name: LAST }] })
    expect(await database.run(tables, [])).toEqual(before)
    expect((await svcMigrate()).said).toContain(LAST)
  })

  it('refuses what the migration would refuse', async () => {
    await migrate(database, [{ version: steps[0]?.version ?? '', sql: 'CREATE TABLE other (id int)' }])
    const { code, complained } = await svcMigrate('--dry-run')
    expect([code, complained]).toEqual([1, expect.stringContaining('with other statements')])
  })
})
