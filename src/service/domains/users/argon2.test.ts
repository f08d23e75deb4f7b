import * as ofPackage from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { argon2OfNode, findArgon2 } from './argon2.ts'
import type { Argon2 } from './argon2.ts'

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PASSWORD = 'quiet river stöne'
/** From the tests of the reference implementation (phc-winner-argon2, test.c). */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const own = argon2OfNode()
const all: [string, Argon2][] = [['the package', ofPackage]]
if (own !== null) all.push(['Node', own])

it('Node computes argon2 from 24.7 on', () => {
  expect(own !== null).toBe(major > 24 || (major === 24 && minor >= 7))
})

it('Node computes argon2 if it can, otherwise the package does', async () => {
  expect((await findArgon2()).hash === ofPackage.hash).toBe(own === null)
  expect((await findArgon2(() => null)).hash).toBe(ofPackage.hash)
})

describe.each(all)('argon2 by %s', (_, argon2) => {
  it('verifies a hash of the reference implementation', async () => {
    expect(await argon2.verify(REFERENCE, 'password')).toBe(true)
    expect(await argon2.verify(REFERENCE, 'Password')).toBe(false)
  })

  it.each(all)('verifies a hash by %s at its own cost, and no other password', async (__, other) => {
    const kept = await other.hash(PASSWORD, { ...COST, memoryCost: 64, timeCost: 3 })
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=64,t=3,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/)
    expect(await argon2.verify(kept, PASSWORD)).toBe(true)
    expect(await argon2.verify(kept, 'quiet river stone')).toBe(false)
  })

  it.each(['', 'plain', '$argon2id$v=19$m=64,t=3$c29tZXNhbHQ$CTFh', '$2b$10$abcdefghijklmnopqrstuv'])(
    'rejects what is not an argon2id hash: %s',
    async (kept) => {
      await expect(argon2.verify(kept, PASSWORD)).rejects.toThrow()
    },
  )
})
