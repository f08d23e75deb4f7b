import { parseOptions } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { findArgon2 } from './argon2.ts'
import { createPasswordHashes } from './hash-passwords.ts'

const hashes = createPasswordHashes()
const me = { who: 'me', isKnown: true }

it('is argon2id at the cost that OWASP asks for, with a salt of its own', async () => {
  const kept = await hashes.hash('quiet river stone', me)
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashes.hash('quiet river stone', me)).not.toBe(kept)
})

it('knows the password again, by whatever code points a keyboard writes it', async () => {
  const kept = await hashes.hash('caf\u00e9 by the river', me)
  expect(await hashes.matches(kept, 'cafe\u0301 by the river', me)).toBe(true)
  expect(await hashes.matches(kept, 'cafe by the river', me)).toBe(false)
})

it('nobody has any password, which costs as much to find out', async () => {
  const compared: string[] = []
  const watched = createPasswordHashes(async () => ({
    ...(await findArgon2()),
    verify: (kept, password) => {
      compared.push(kept)
      return Promise.resolve(password === 'right')
    },
  }))
  expect(await watched.matches(null, 'right', me)).toBe(false)
  expect(parseOptions(compared[0] ?? '')).toEqual(parseOptions(await hashes.hash('any other', me)))
})
