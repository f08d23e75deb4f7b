import { afterEach, beforeEach, expect, it } from 'vitest'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { TEST_KEY } from '../../testing/test-service.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { Database } from '../../platform/database/database.ts'
import { createIds } from '../../platform/identifiers.ts'
import { createTextVault } from '../../platform/vault/vault.ts'
import { wrappedKeysIn } from '../../platform/vault/wrapped-keys.ts'
import { signingKeys } from './signing-key-store.ts'
import { createSigningKeys } from './signing-keys.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const masterKeys = localMasterKeys(`test:${TEST_KEY.toString('base64')}`)
const stored = testStatement<{ text: string }>(
  't_keys',
  'SELECT private_jwk::text AS text FROM oauth_signing_keys',
)

let database: Database
let now: number
beforeEach(async () => {
  database = await createMigratedDatabase()
  now = Date.parse('2026-11-21T10:00:00Z')
})
afterEach(() => database.close())

const open = () => {
  const timeOfDay = { epochMs: () => now }
  const vault = createTextVault(() => masterKeys)
  return createSigningKeys({
    database,
    vault,
    createId: createIds(timeOfDay),
    timeOfDay,
  })
}
const published = async () => (await open().published()).keys.map(({ kid }) => kid)

it('the first key signs at once, and many processes at once make one', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await open().current()).id))
  expect(new Set(ids).size).toBe(1)
  expect(await published()).toEqual([ids[0]])
})

it('private keys are kept sealed, and move to another master key by their table', async () => {
  await open().current()
  const [row] = await database.run(stored, [])
  expect(Buffer.from(row?.text.replace('\\x', '') ?? '', 'hex').toString('latin1')).not.toContain('"d"')
  expect(await wrappedKeysIn(database, signingKeys).countByMasterKey()).toEqual(new Map([['test', 1]]))
})

it('every 30 days a key is published an hour before it signs', async () => {
  const keys = open()
  const { id: first } = await keys.current()
  now += 30 * DAY - HOUR - 1
  await keys.rotate()
  expect(await published()).toEqual([first])
  now += 1
  await Promise.all([keys.rotate(), open().rotate(), open().rotate()])
  const both = await published()
  expect(both).toHaveLength(2)
  expect((await keys.current()).id).toBe(first)
  now += HOUR
  await keys.rotate()
  expect((await keys.current()).id).toBe(both[1])
  expect(await published()).toEqual(both)
  now += HOUR
  await keys.rotate()
  expect(await published()).toEqual([both[1]])
})

it('an operator replaces a key with notice, or at once', async () => {
  const keys = open()
  const { id: first } = await keys.current()
  const second = await keys.replace(false)
  expect([(await keys.current()).id, await published()]).toEqual([first, [first, second]])
  const third = await keys.replace(true)
  expect([(await keys.current()).id, await published()]).toEqual([third, [third]])
})

it('a key that was given up with its master key no longer signs: another does', async () => {
  const { id: lost } = await open().current()
  expect(await wrappedKeysIn(database, signingKeys).erase('test')).toBe(1)
  expect((await open().current()).id).not.toBe(lost)
})
