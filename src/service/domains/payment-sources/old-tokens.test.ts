import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { migrations } from '../../platform/database/migrations.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { encrypt } from '../../platform/vault/aes-gcm.ts'
import { rotateVault } from '../../platform/vault/rotate.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { wrappedKeysIn } from '../../platform/vault/wrapped-keys.ts'
import { tokenClaim, tokenHashOf, tokenKeys } from './token-store.ts'
import { findToken } from './tokens.ts'
import { testStatement } from '../../testing/test-statement.ts'

const [oldKey, newKey] = ['old', 'new'].map((id) => `${id}:${randomBytes(32).toString('base64')}`)
const token = randomUUID()
const step = migrations.findIndex(({ version }) => version.startsWith('010'))

const addOld = testStatement(
  't_add_old',
  `INSERT INTO payment_source_tokens
     (token, merchant_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, idempotency_key, expires_at)
   VALUES ($1, 'm', 'old', $2, $3, $4, '{}', 'in-plain', now() + interval '3 hours')`,
)
const addCharge = testStatement(
  't_add_charge',
  `INSERT INTO charges (id, merchant_id, gateway_id, token, status, pre_auth, amount, currency, customer, payment_source)
   VALUES ('c', 'm', 'g', $1, 'processing', false, 1, 'AUD', '{}', '{}')`,
)
const chargeHash = testStatement<{ token_hash: Buffer }>('t_charge_hash', 'SELECT token_hash FROM charges')
const rows = testStatement<{ row: string }>('t_rows', 'SELECT t::text AS row FROM payment_source_tokens t')
const take = testStatement<{ token_hash: Buffer }>(
  't_take',
  tokenClaim.take({ token: '$1', merchant: '$2', attempt: '$3' }),
)
const spend = testStatement('t_spend', tokenClaim.spend({ token: '$1', attempt: '$2' }))

/** As version 1.1.0 sealed a card. */
function oldValues(): Buffer[] {
  const [, masterKey = ''] = `${oldKey}`.split(':')
  const dataKey = randomBytes(32)
  const place = `m/${token}`
  return [
    encrypt(Buffer.from(masterKey, 'base64'), dataKey, `${place}/data-key`),
    encrypt(dataKey, Buffer.from('5111111111111118'), `${place}/number`),
    encrypt(dataKey, Buffer.from('100'), `${place}/code`),
  ]
}

let database: Database
beforeEach(async () => {
  database = await createTestDatabase()
  await migrate(database, migrations.slice(0, step))
  await database.run(addOld, [token, ...oldValues()])
  await database.run(addCharge, [token])
  await migrate(database, migrations)
})
afterEach(() => database.close())

const find = (keys: string) =>
  findToken(
    {
      database,
      vault: createVault(localMasterKeys(keys)),
      timeOfDay: { epochMs: Date.now },
      createToken: randomUUID,
      secrets: [randomBytes(32)],
      hasGateway: () => Promise.resolve(true),
    },
    token,
  )

describe('a card that was tokenised before tokens were kept as hashes', () => {
  it('can be spent, and then nothing of the card and its token is left in its row', async () => {
    const { hash, secrets } = await find(`${oldKey}`).then((found) => found.openFor('m'))
    expect(secrets).toEqual({ number: '5111111111111118', code: '100' })
    expect(await database.run(take, [hash, 'm', 'a'])).toHaveLength(1)
    await database.run(spend, [hash, 'a'])
    const [{ row } = { row: '' }] = await database.run(rows, [])
    expect(row).toContain(hash.toString('hex'))
    expect(row).not.toContain(token)
    expect(row).not.toContain('in-plain')
    await expect(find(`${oldKey}`).then((found) => found.openFor('m'))).rejects.toMatchObject({
      code: 'token_not_found',
    })
  })

  it('is opened after a rotation of the master keys too', async () => {
    const keys = localMasterKeys(`${newKey},${oldKey}`)
    const places = [wrappedKeysIn(database, tokenKeys)]
    await rotateVault({ vault: createVault(keys), keys, places, say: () => undefined })
    expect((await find(`${newKey}`).then((found) => found.openFor('m'))).secrets.code).toBe('100')
  })

  it('is known to its charge by the hash', async () => {
    expect(await database.run(chargeHash, [])).toEqual([{ token_hash: tokenHashOf(token) }])
  })
})
