import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseMasterKeys } from './master-keys.ts'
import { createVault } from './vault.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const card = { number: '5111111111111118', code: '100' }

const here = { place: 'here', token: 'b4c1f3aa-0c0f-4a43-9d0b-5e1c0f7e2a90' }
const there = { ...here, place: 'there' }

describe('the vault', () => {
  const keys = key('a')
  const vault = createVault(parseMasterKeys(keys))

  it('opens what it sealed, and nothing of the card stands in what it keeps', () => {
    const sealed = vault.seal(card, here)
    expect(vault.open(sealed, here)).toEqual(card)
    const kept = Buffer.concat([sealed.number, sealed.code, sealed.wrappedDataKey])
    expect(kept.includes(card.number)).toBe(false)
  })

  it('seals the same card differently each time', () => {
    expect(vault.seal(card, here).number.equals(vault.seal(card, here).number)).toBe(false)
  })

  it('does not open in another place, with a bit changed, or with its parts swapped', () => {
    const sealed = vault.seal(card, here)
    const bent = Buffer.from(sealed.number)
    bent.writeUInt8(bent.readUInt8(30) ^ 1, 30)
    expect(() => vault.open(sealed, there)).toThrow()
    expect(() => vault.open({ ...sealed, number: bent }, here)).toThrow()
    expect(() => vault.open({ ...sealed, number: sealed.code, code: sealed.number }, here)).toThrow()
    expect(() =>
      vault.open({ ...sealed, wrappedDataKey: vault.seal(card, here).wrappedDataKey }, here),
    ).toThrow()
  })

  it('does not open without the token, by all that was kept and the master key', () => {
    const sealed = vault.seal(card, here)
    const other = { ...here, token: 'b4c1f3aa-0c0f-4a43-9d0b-5e1c0f7e2a91' }
    expect(() => vault.open(sealed, other)).toThrow()
    expect(() => vault.open(sealed, { ...here, token: null })).toThrow()
  })

  it('opens old cards after a new key was put in front, and says which key is missing', () => {
    const sealed = vault.seal(card, here)
    expect(createVault(parseMasterKeys(`${key('b')},${keys}`)).open(sealed, here)).toEqual(card)
    expect(() => createVault(parseMasterKeys(key('b'))).open(sealed, here)).toThrow('lacks the key a')
  })
})

describe('SVC_VAULT_KEYS', () => {
  it('may not give two keys one id', () => {
    expect(() => parseMasterKeys(`${key('a')},${key('a')}`)).toThrow('an id of its own')
  })

  it.each([[''], ['a'], ['a:short'], [`a:${randomBytes(16).toString('base64')}`], [`${key('a')},b:`]])(
    '%j is refused without repeating it',
    (text) => {
      expect(() => parseMasterKeys(text)).toThrow(/^SVC_VAULT_KEYS must be id:key pairs[^=]*$/)
    },
  )
})
