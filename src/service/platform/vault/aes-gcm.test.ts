import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt } from './aes-gcm.ts'

const key = Buffer.alloc(32, 1)
const plain = Buffer.from('a text of twenty-six bytes')

describe('AES-256-GCM', () => {
  it('makes IV, tag and ciphertext of their lengths, and opens them again', () => {
    const sealed = encrypt(key, plain, 'here')
    expect(sealed.length).toBe(12 + 16 + plain.length)
    expect(decrypt(key, sealed, 'here').equals(plain)).toBe(true)
    expect(sealed.includes(plain)).toBe(false)
  })

  it('takes a fresh IV each time', () => {
    const ivs = Array.from({ length: 50 }, () => encrypt(key, plain, 'here').subarray(0, 12).toString('hex'))
    expect(new Set(ivs).size).toBe(50)
  })

  it('is what node:crypto makes of the same parts', () => {
    const sealed = encrypt(key, plain, 'here')
    const cipher = createCipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from('here'))
    const expected = Buffer.concat([cipher.update(plain), cipher.final()])
    expect(sealed.subarray(28).equals(expected)).toBe(true)
    expect(sealed.subarray(12, 28).equals(cipher.getAuthTag())).toBe(true)
  })

  it('opens with no bit changed, nothing cut off, no other key and no other context', () => {
    const sealed = encrypt(key, plain, 'here')
    for (let at = 0; at < sealed.length; at += 1) {
      const bent = Buffer.from(sealed)
      bent.writeUInt8(bent.readUInt8(at) ^ 1, at)
      expect(() => decrypt(key, bent, 'here')).toThrow()
      expect(() => decrypt(key, sealed.subarray(0, at), 'here')).toThrow()
    }
    expect(() => decrypt(Buffer.alloc(32, 2), sealed, 'here')).toThrow()
    expect(() => decrypt(key, sealed, 'there')).toThrow()
    expect(() => decrypt(key, sealed, '')).toThrow()
  })

  it('seals nothing at all as well as anything', () => {
    expect(decrypt(key, encrypt(key, Buffer.alloc(0), 'here'), 'here').length).toBe(0)
  })
})
