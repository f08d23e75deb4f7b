import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import './domains/charges/unknown-outcomes.ts'
import './platform/database/check-server.ts'
import { bigint, bytea, integer, notNull, nullable, text } from './platform/database/sql-types.ts'
import type { SqlTypes } from './platform/database/sql-types.ts'
import { statement } from './platform/database/statement.ts'
import type * as Statements from './platform/database/statement.ts'
import { clashes, declared } from './testing/declared-statements.ts'
import { statementFaults } from './testing/statement-faults.ts'
import type { DeclaredStatement } from './testing/statement-faults.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { testStatement } from './testing/test-statement.ts'
import { allWrappedKeys } from './key-tables.ts'

vi.mock('./platform/database/statement.ts', async (original) => {
  const { recordStatements } = await import('./testing/declared-statements.ts')
  return recordStatements(await original<typeof Statements>())
})

const nameOfDatabase = testStatement<{ name: string }>('t_name', 'SELECT current_database() AS name')

let service: TestService
let client: pg.Client
let faultsOf: (one: DeclaredStatement) => Promise<string[]>
beforeAll(async () => {
  service = await createTestService()
  allWrappedKeys(service.database)
  const [row] = await service.database.run(nameOfDatabase, [])
  const address = inject('connectionString').replace('/postgres?', `/${row?.name ?? ''}?`)
  client = new pg.Client({ connectionString: address })
  await client.connect()
  faultsOf = await statementFaults(client)
})
afterAll(async () => {
  await client.end()
  await service.close()
})

/** What is in the name of each statement before the first `${…}`, as the service's files have it. */
function namesInSources(): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  return files.flatMap((source) =>
    [...source.matchAll(/statement\(\{\s*name: ['`]([a-z_]+)/g)].map(([, name = '']) => name),
  )
}

describe('the statements of the service', () => {
  it('are all looked at', () => {
    const names = namesInSources()
    expect(names.length).toBeGreaterThan(60)
    expect(names.filter((name) => ![...declared.keys()].some((one) => one.startsWith(name)))).toEqual([])
  })

  it('are as few as docs/scaling.md tells operators of poolers', () => {
    expect(declared.size).toBeLessThan(500)
  })

  it('have a name each', () => {
    expect([...clashes]).toEqual([])
  })

  it('take and return what the database says, by name and type', async () => {
    const faults: string[] = []
    for (const one of declared.values()) faults.push(...(await faultsOf(one)))
    expect(faults).toEqual([])
  })
})

describe('a statement that declares what is not so is found', () => {
  const FROM = 'FROM charges WHERE id = :id'
  it.each([
    [
      'a type of a value',
      { id: bytea },
      { amount: bigint },
      `SELECT amount ${FROM}`,
      ':id is text, not bytea',
    ],
    [
      'a type of a column',
      { id: text },
      { amount: integer },
      `SELECT amount ${FROM}`,
      'amount is bigint, not integer',
    ],
    [
      'a name of a column',
      { id: text },
      { cents: bigint },
      `SELECT amount ${FROM}`,
      'columns is amount, not cents',
    ],
    ['null', { id: text }, { reference: text }, `SELECT reference ${FROM}`, 'may be null is true, not false'],
    [
      'no null',
      { id: text },
      { amount: nullable(bigint) },
      `SELECT amount ${FROM}`,
      'may be null is false, not true',
    ],
    [
      'a condition',
      { id: text },
      { reference: notNull(text) },
      `SELECT reference ${FROM}`,
      'may be null is true, not false',
    ],
  ])('%s', async (_, values: SqlTypes, columns: SqlTypes, sql, fault) => {
    const made = statement({ name: 't_wrong', values, columns, sql })
    declared.delete('t_wrong')
    expect((await faultsOf({ ...made, values, columns })).join()).toContain(fault)
  })

  it('a text that the database does not take', async () => {
    const made = statement({ name: 't_wrong', values: {}, columns: {}, sql: 'SELECT nothing FROM charges' })
    declared.delete('t_wrong')
    await expect(faultsOf({ ...made, values: {}, columns: {} })).rejects.toThrow(
      'column "nothing" does not exist',
    )
  })
})
