import { parseOptions } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { findArgon2 } from './argon2.ts'
import { createHashQueue, createPasswordHashes } from './password-hashes.ts'

const hashes = createPasswordHashes()
const me = { who: 'me', isKnown: true }

it('a password is hashed by argon2id at OWASP’s cost, with a salt of its own', async () => {
  const kept = await hashes.hash('quiet river stone', me)
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashes.hash('quiet river stone', me)).not.toBe(kept)
})

it('a password matches, whichever code points the keyboard writes', async () => {
  const kept = await hashes.hash('caf\u00e9 by the river', me)
  expect(await hashes.matches(kept, 'cafe\u0301 by the river', me)).toBe(true)
  expect(await hashes.matches(kept, 'cafe by the river', me)).toBe(false)
})

it('without a kept hash no password matches, after the same work', async () => {
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

const stranger = { who: 'a network', isKnown: false }

/** Work that ends when the test says so. */
function createWork() {
  const ends: (() => void)[] = []
  return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) }
}

it('the queue limits what runs at once, and refuses who would wait too long', async () => {
  const inTurn = createHashQueue({ atOnce: 2, maxWaiting: 1, maxOfOne: 1 })
  const { ends, work } = createWork()
  const done: number[] = []
  const asked = [1, 2, 3].map((number) => inTurn(stranger, work).then(() => done.push(number)))
  await expect(inTurn(stranger, work)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await asked[1]
  expect(ends).toHaveLength(3)
  for (const end of ends) end()
  await Promise.all(asked)
  expect(done).toEqual([2, 1, 3])
})

it('the queue goes on after work that failed', async () => {
  const inTurn = createHashQueue({ atOnce: 1, maxWaiting: 1, maxOfOne: 1 })
  const failing = inTurn(stranger, () => Promise.reject(new Error('broken')))
  const next = inTurn(stranger, () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await inTurn(stranger, () => Promise.resolve('again'))).toBe('again')
})

it('the queue keeps places, and every second turn, for known people', async () => {
  const inTurn = createHashQueue({ atOnce: 1, maxWaiting: 3, maxOfOne: 1 })
  const { ends, work } = createWork()
  const done: string[] = []
  const ask = (who: string, isKnown: boolean) => inTurn({ who, isKnown }, work).then(() => done.push(who))
  const strangers = ['s1', 's2', 's3', 's4'].map((who) => ask(who, false))
  await expect(ask('s5', false)).rejects.toMatchObject({ code: 'service_unavailable' })
  const owner = ask('owner', true)
  for (let turn = 0; turn < 5; turn += 1) {
    ends[turn]?.()
    await new Promise(setImmediate)
  }
  await Promise.all([...strangers, owner])
  expect(done.indexOf('owner')).toBeLessThanOrEqual(2)
})

it('the queue gives one asker no more than its share of the places', async () => {
  const inTurn = createHashQueue({ atOnce: 1, maxWaiting: 3, maxOfOne: 1 })
  const { ends, work } = createWork()
  const first = inTurn({ who: 'busy', isKnown: false }, work)
  const waiting = inTurn({ who: 'busy', isKnown: false }, work)
  await expect(inTurn({ who: 'busy', isKnown: false }, work)).rejects.toMatchObject({ retryAfter: 2 })
  const other = inTurn(stranger, work)
  for (let turn = 0; turn < 3; turn += 1) {
    ends[turn]?.()
    await new Promise(setImmediate)
  }
  await Promise.all([first, waiting, other])
})
