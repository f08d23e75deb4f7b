import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KeyStoreDown, joinKeyStores } from './master-keys.ts'
import type { MasterKeys } from './master-keys.ts'
import { keyStoreBeds } from '../testing/key-store-beds.ts'
import type { KeyStoreBed } from '../testing/key-store-beds.ts'

describe.each(keyStoreBeds)('$name', ({ isMissing, make }) => {
  const test = isMissing === null ? it : it.skip
  const dataKey = randomBytes(32)
  let bed: KeyStoreBed
  let keys: MasterKeys
  const open = async (...ids: ('old' | 'new')[]) => joinKeyStores([await bed.open(...ids)])

  beforeAll(async () => {
    if (isMissing !== null) {
      console.warn(`left out: ${isMissing}`)
      return
    }
    bed = await make()
    keys = await open('old', 'new')
  })
  afterAll(() => (isMissing === null ? bed.close() : undefined))

  test('wraps by the first key and opens again, in another process too', async () => {
    const wrapped = await keys.wrap(dataKey, 'here')
    expect(wrapped.masterKeyId).toBe('old')
    expect(wrapped.wrappedDataKey.includes(dataKey)).toBe(false)
    expect(await keys.unwrap(wrapped, 'here')).toEqual(dataKey)
    expect(await (await open('new', 'old')).unwrap(wrapped, 'here')).toEqual(dataKey)
  })

  test('wraps the same key differently each time, and under another key when it is told', async () => {
    const [one, two] = [await keys.wrap(dataKey, 'here'), await keys.wrap(dataKey, 'here')]
    expect(one.wrappedDataKey.equals(two.wrappedDataKey)).toBe(false)
    const other = await keys.wrap(dataKey, 'here', 'new')
    expect(other.masterKeyId).toBe('new')
    expect(await keys.unwrap(other, 'here')).toEqual(dataKey)
    await expect(keys.unwrap({ ...other, masterKeyId: 'old' }, 'here')).rejects.toThrow()
  })

  test('does not open in another context, or with a bit changed or bytes missing', async () => {
    const wrapped = await keys.wrap(dataKey, 'here')
    await expect(keys.unwrap(wrapped, 'there')).rejects.not.toMatchObject({ code: 'service_unavailable' })
    for (const at of [-1, Math.floor(wrapped.wrappedDataKey.length / 2)]) {
      const bent = Buffer.from(wrapped.wrappedDataKey)
      const place = (at + bent.length) % bent.length
      bent.writeUInt8(bent.readUInt8(place) ^ 1, place)
      await expect(keys.unwrap({ ...wrapped, wrappedDataKey: bent }, 'here')).rejects.toThrow()
    }
    const short = wrapped.wrappedDataKey.subarray(0, -4)
    await expect(keys.unwrap({ ...wrapped, wrappedDataKey: short }, 'here')).rejects.toThrow()
    expect(await keys.unwrap(wrapped, 'here')).toEqual(dataKey)
  })

  test('names the key that it lacks', async () => {
    const wrapped = await keys.wrap(dataKey, 'here')
    const rejection = expect((await open('new')).unwrap(wrapped, 'here')).rejects
    await rejection.toMatchObject({ name: 'MissingKey', message: 'the vault lacks the key old' })
  })

  test('serves many at once', async () => {
    const wrapped = await Promise.all(Array.from({ length: 100 }, () => keys.wrap(dataKey, 'here')))
    const opened = await Promise.all(wrapped.map((one) => keys.unwrap(one, 'here')))
    expect(opened.every((one) => one.equals(dataKey))).toBe(true)
  })
})

describe('a key store', () => {
  const down = (work: () => Promise<Buffer>) =>
    joinKeyStores([{ ids: ['k'], wrap: work, unwrap: work }], 'k', 20).wrap(Buffer.alloc(32), 'here')

  it.each([
    ['that is down', () => Promise.reject(new KeyStoreDown('away'))],
    ['that never answers', () => new Promise<Buffer>(() => undefined)],
  ])('%s ends a call in service_unavailable, with when to try again', async (_name, work) => {
    await expect(down(work)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  })

  it('may stand beside another, whose keys are known too; its first or named key wraps', async () => {
    const beds = keyStoreBeds.filter(({ isMissing, name }) => isMissing === null && !name.includes('PKCS'))
    const made = await Promise.all(beds.map(async ({ make }) => make()))
    const [own, service] = await Promise.all([made[0]?.open('old'), made[1]?.open('new')])
    if (own === undefined || service === undefined) throw new Error('two kinds are needed')
    const dataKey = randomBytes(32)
    const before = joinKeyStores([service, own], 'old')
    const after = joinKeyStores([service, own])
    expect([before.currentId, after.currentId, after.ids]).toEqual(['old', 'new', ['new', 'old']])
    for (const keys of [before, after])
      expect(await after.unwrap(await keys.wrap(dataKey, 'here'), 'here')).toEqual(dataKey)
    await Promise.all(made.map(async (bed) => bed.close()))
  })
})
