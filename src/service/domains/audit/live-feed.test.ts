import { beforeEach, expect, it } from 'vitest'
import { createLiveFeed } from './live-feed.ts'
import type { LiveFeed } from './live-feed.ts'

/** How many events the chain has; how often it was asked; and what was read of it. */
let chain: { length: () => Promise<number>; asked: number; read: unknown[] }
let feed: LiveFeed
beforeEach(() => {
  chain = { length: () => Promise.resolve(0), asked: 0, read: [] }
  const database = {
    run(_: unknown, values: unknown) {
      chain.read.push(values)
      return Promise.resolve([])
    },
  }
  feed = createLiveFeed(database, () => {
    chain.asked += 1
    return chain.length()
  })
})

const listener = { merchantId: 'm', tell: () => undefined, reset: () => undefined }
const poll = (length: number) => {
  chain.length = () => Promise.resolve(length)
  return feed.poll()
}

it('asks for nothing while nobody listens', async () => {
  await poll(1)
  const leave = await feed.join(listener, null)
  chain.asked = 0
  await poll(2)
  leave()
  await poll(3)
  expect(chain.asked).toBe(1)
})

it('tells a newcomer what was sealed since the chain was seen, listened to or not', async () => {
  feed.noteLength(3)
  await feed.join(listener, null)
  feed.noteLength(4)
  await poll(5)
  expect(chain.read).toEqual([{ after: 3, up_to: 5, merchant_ids: ['m'] }])
})

it('tells nothing twice where the chain is seen to be longer while it is read', async () => {
  const leave = await feed.join(listener, null)
  let answer: (length: number) => void = () => undefined
  chain.length = () => new Promise((resolve) => (answer = resolve))
  const polling = feed.poll()
  leave()
  feed.noteLength(6)
  await feed.join(listener, null)
  answer(5)
  await polling
  await poll(7)
  expect(chain.read).toEqual([{ after: 6, up_to: 7, merchant_ids: ['m'] }])
})
