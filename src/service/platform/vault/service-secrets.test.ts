import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { KeyStoreDown, joinKeyStores } from './key-stores/master-keys.ts'
import { openServiceSecrets } from './service-secrets.ts'
import { startTransitDouble } from './testing/transit-double.ts'
import { createTransitKeyStore } from './key-stores/transit-key-store.ts'

let database: Database
beforeEach(async () => {
  database = await createMigratedDatabase()
})
afterEach(() => database.close())

const [one, two] = ['one', 'two'].map((id) => `${id}:${randomBytes(32).toString('base64')}`)

it('are the same for all processes, also if they start at once, one per key and purpose', async () => {
  const orders = [`${one},${two}`, `${two},${one}`, `${one},${two}`, `${one}`]
  const opened = await Promise.all(orders.map((text) => openServiceSecrets(database, localMasterKeys(text))))
  const secrets = opened.map((secretsFor) => secretsFor('signing').get('one')?.toString('hex'))
  expect(new Set(secrets).size).toBe(1)
  const [first, second] = opened.map((secretsFor) => secretsFor('signing'))
  expect([[...(first?.keys() ?? [])], [...(second?.keys() ?? [])]]).toEqual([
    ['one', 'two'],
    ['two', 'one'],
  ])
  const others = [first?.get('two'), opened[0]?.('another purpose').get('one')]
  for (const other of others) expect(other?.toString('hex')).not.toBe(secrets[0])
})

it('a start that cannot reach its keys says so in one line', async () => {
  const down = () => Promise.reject(new KeyStoreDown('the token is not there'))
  const keys = joinKeyStores([{ ids: ['k'], wrap: down, unwrap: down }])
  const words = 'the master key k cannot be used: the token is not there'
  await expect(openServiceSecrets(database, keys)).rejects.toThrow(words)
})

it('a start with a key that its key service does not have says so in one line', async () => {
  const double = await startTransitDouble(['k'])
  const keys = joinKeyStores([
    createTransitKeyStore({ url: double.url, keys: ['mistyped'], token: { text: double.token } }),
  ])
  const rejection = expect(openServiceSecrets(database, keys)).rejects
  await rejection.toMatchObject({
    name: 'ConfigError',
    message: 'the master key mistyped cannot be used: the key service refuses encrypt/mistyped',
  })
  await double.close()
})
