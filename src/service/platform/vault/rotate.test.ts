import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import type { Database } from '../database/database.ts'
import { addToken, findSpendable, tokenHashOf, tokenKeys } from '../../domains/payment-sources/token-store.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { checkMasterKeys } from './check-master-keys.ts'
import { giveUpLostKey, rotateVault } from './rotate.ts'
import { createVault } from './vault.ts'
import { wrappedKeysIn } from './wrapped-keys.ts'
import type { WrappedKeys } from './wrapped-keys.ts'
import { testStatement } from '../../testing/test-statement.ts'

const [oldKey, newKey, otherOld] = ['old', 'new', 'old'].map(
  (id) => `${id}:${randomBytes(32).toString('base64')}`,
)
const card = { number: '5111111111111118', code: '100' }
const facts = {
  card_name: '',
  card_number_last4: '1118',
  card_number_bin: '51111111',
  card_scheme: 'mastercard',
  expire_month: 1,
  expire_year: 2039,
  holder: {},
}
const vaultOf = (keys: string) => createVault(localMasterKeys(keys))
const expire = testStatement(
  't_expire_all',
  "UPDATE payment_source_tokens SET expires_at = now() - interval '1 second'",
)
const spend = testStatement(
  't_spend',
  'UPDATE payment_source_tokens SET card_number = NULL, card_ccv = NULL, wrapped_data_key = NULL WHERE token_hash = $1',
)

let database: Database
let places: readonly WrappedKeys[]
let said: string[]

beforeEach(async () => {
  database = await createMigratedDatabase()
  places = [wrappedKeysIn(database, tokenKeys)]
  said = []
})
afterEach(() => database.close())

const rotate = (text: string) => {
  const keys = localMasterKeys(text)
  return rotateVault({ vault: createVault(keys), keys, places, say: (words) => said.push(words) })
}
const start = (text: string, isSandbox = false) =>
  checkMasterKeys({
    database,
    keys: localMasterKeys(text),
    places,
    isSandbox,
    warn: (words) => said.push(words),
  })

const lockOf = (token: string) => ({ place: `m/${tokenHashOf(token).toString('hex')}`, token })

async function addTokens(count: number, keys = `${oldKey}`): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomUUID())
  for (const token of tokens) {
    const tokenHash = tokenHashOf(token)
    const sealed = await vaultOf(keys).seal(card, lockOf(token))
    const stored = {
      tokenHash,
      merchantId: 'm',
      gatewayId: null,
      card: facts,
      sealed,
      meta: undefined,
      browser: null,
    }
    await addToken(database, { ...stored, keyHash: null })
  }
  return tokens
}

async function opened(token: string, keys: string) {
  const found = await findSpendable(database, tokenHashOf(token))
  return found === null ? null : vaultOf(keys).open(found.sealed, lockOf(token))
}

describe('the rotation of the vault', () => {
  it('wraps every data key anew: then the old master key opens nothing and the new one all', async () => {
    const tokens = await addTokens(450)
    expect(await rotate(`${newKey},${oldKey}`)).toBe(true)
    expect(said).toEqual([
      'payment source tokens under the key new: 450',
      'payment source tokens under the key old: 0',
    ])
    for (const token of tokens) expect(await opened(token, `${newKey}`)).toEqual(card)
    await expect(opened(tokens[0] ?? '', `${oldKey}`)).rejects.toThrow('lacks the key new')
  })

  it('goes on where it was ended, and several at once do no harm', async () => {
    const tokens = await addTokens(450)
    const vault = vaultOf(`${newKey},${oldKey}`)
    for (const place of places)
      for await (const batch of place.notUnder('new')) {
        await place.replace(batch, await Promise.all(batch.map((kept) => vault.rewrap(kept, kept.place))))
        break
      }
    const ends = await Promise.all(Array.from({ length: 3 }, () => rotate(`${newKey},${oldKey}`)))
    expect(ends).toEqual([true, true, true])
    for (const token of tokens) expect(await opened(token, `${newKey}`)).toEqual(card)
  })

  it('does not bring back a card that was spent while it ran', async () => {
    const [token = ''] = await addTokens(1)
    const vault = vaultOf(`${newKey},${oldKey}`)
    for (const place of places)
      for await (const batch of place.notUnder('new')) {
        await database.run(spend, [tokenHashOf(token)])
        await place.replace(batch, await Promise.all(batch.map((kept) => vault.rewrap(kept, kept.place))))
      }
    const kept = testStatement<{ key: Buffer | null }>(
      't_key',
      'SELECT wrapped_data_key AS key FROM payment_source_tokens',
    )
    expect(await database.run(kept, [])).toEqual([{ key: null }])
  })

  it('refuses in words when a key is missing, and changes nothing', async () => {
    const [token = ''] = await addTokens(3)
    await expect(rotate(`${newKey}`)).rejects.toThrow(
      'the vault lacks the key old, which 3 payment source tokens need. Give it too',
    )
    expect(await opened(token, `${oldKey}`)).toEqual(card)
  })

  it('says so when some are still under the old key, because a service still wraps with it', async () => {
    await addTokens(3)
    const busy = (place: WrappedKeys): WrappedKeys => ({
      ...place,
      async *notUnder(id) {
        yield* place.notUnder(id)
        await addTokens(2)
      },
    })
    places = places.map(busy)
    expect(await rotate(`${newKey},${oldKey}`)).toBe(false)
    expect(said).toContain('payment source tokens under the key old: 2')
  })

  it('needs no key for cards whose tokens have expired', async () => {
    await addTokens(2)
    await database.run(expire, [])
    expect(await rotate(`${newKey}`)).toBe(true)
    await start(`${newKey}`)
  })
})

describe('a start', () => {
  it('without a key that cards need is refused with what to do, in a sandbox warned of', async () => {
    await addTokens(2)
    const words = 'the vault lacks the key old, which 2 payment source tokens need'
    await expect(start(`${newKey}`)).rejects.toThrow(words)
    await start(`${newKey}`, true)
    expect(said.join()).toContain(words)
    await start(`${newKey},${oldKey}`)
  })

  it('with another key under a known id is refused, also when nothing needs it yet', async () => {
    await start(`${oldKey}`)
    for (const isSandbox of [true, false])
      await expect(start(`${otherOld}`, isSandbox)).rejects.toThrow('has another key under the id old')
    await start(`${oldKey}`)
  })
})

describe('a master key that is lost', () => {
  it('takes its cards with it, once the operator says so', async () => {
    const [lost = ''] = await addTokens(1)
    const [kept = ''] = await addTokens(1, `${newKey}`)
    const keys = localMasterKeys(`${newKey}`)
    await giveUpLostKey('old', keys, places, (words) => said.push(words))
    expect(said).toEqual(['payment source tokens erased with the key old: 1'])
    await start(`${newKey}`)
    expect(await opened(lost, `${newKey}`)).toBeNull()
    expect(await opened(kept, `${newKey}`)).toEqual(card)
  })

  it('is not one that is given', async () => {
    const keys = localMasterKeys(`${oldKey}`)
    await expect(giveUpLostKey('old', keys, places, () => undefined)).rejects.toThrow('is not lost')
  })
})
