import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { createVault } from './vault.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const card = { number: '5111111111111118', code: '100' }

const here = { place: 'here', token: 'b4c1f3aa-0c0f-4a43-9d0b-5e1c0f7e2a90' }
const there = { ...here, place: 'there' }

describe('the vault', () => {
  const keys = key('a')
  const vault = createVault(localMasterKeys(keys))

  it('opens what it sealed, and nothing of the card stands in what it keeps', async () => {
    const sealed = await vault.seal(card, here)
    expect(await vault.open(sealed, here)).toEqual(card)
    const kept = Buffer.concat([sealed.number, sealed.code, sealed.wrappedDataKey])
    expect(kept.includes(card.number)).toBe(false)
  })

  it('seals the same card differently each time', async () => {
    const [one, other] = [await vault.seal(card, here), await vault.seal(card, here)]
    expect(one.number.equals(other.number)).toBe(false)
  })

  it('does not open in another place, with a bit changed, or with its parts swapped', async () => {
    const sealed = await vault.seal(card, here)
    const bent = Buffer.from(sealed.number)
    bent.writeUInt8(bent.readUInt8(30) ^ 1, 30)
    const { wrappedDataKey } = await vault.seal(card, here)
    await expect(vault.open(sealed, there)).rejects.toThrow()
    for (const change of [{ number: bent }, { number: sealed.code, code: sealed.number }, { wrappedDataKey }])
      await expect(vault.open({ ...sealed, ...change }, here)).rejects.toThrow()
  })

  it('does not open without the token, by all that was kept and the master key', async () => {
    const sealed = await vault.seal(card, here)
    const other = { ...here, token: 'b4c1f3aa-0c0f-4a43-9d0b-5e1c0f7e2a91' }
    await expect(vault.open(sealed, other)).rejects.toThrow()
    await expect(vault.open(sealed, { ...here, token: '' })).rejects.toThrow()
  })

  it('opens old cards after a new key was put in front, and says which key is missing', async () => {
    const sealed = await vault.seal(card, here)
    expect(await createVault(localMasterKeys(`${key('b')},${keys}`)).open(sealed, here)).toEqual(card)
    await expect(createVault(localMasterKeys(key('b'))).open(sealed, here)).rejects.toThrow('lacks the key a')
  })
})

describe('SVC_VAULT_KEYS', () => {
  it('may not give two keys one id', () => {
    expect(() => localMasterKeys(`${key('a')},${key('a')}`)).toThrow('an id of its own')
  })

  it.each([[''], ['a'], ['a:short'], [`a:${randomBytes(16).toString('base64')}`], [`${key('a')},b:`]])(
    '%j is refused without repeating it',
    (text) => {
      expect(() => localMasterKeys(text)).toThrow(/^SVC_VAULT_KEYS must be id:key pairs[^=]*$/)
    },
  )
})
