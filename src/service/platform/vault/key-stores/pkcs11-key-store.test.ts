import { describe, expect, it } from 'vitest'
import { KeyStoreDown } from './master-keys.ts'
import { createSessionQueue, DoesNotOpen } from './pkcs11-key-store.ts'
import type { TokenSession } from './pkcs11-token.ts'

const NEVER = new AbortController().signal
const answer = () => Promise.resolve(Buffer.alloc(0))

/** Sessions that are counted; how many were opened and how many closed. */
function countedSessions() {
  const counts = { opened: 0, closed: 0 }
  const open = (): TokenSession => {
    counts.opened += 1
    return { encrypt: answer, decrypt: answer, close: () => void (counts.closed += 1) }
  }
  return { counts, open }
}

describe('calls to one session of a token', () => {
  it('are carried out one after the other', async () => {
    const { run } = createSessionQueue(countedSessions().open)
    let underWay = 0
    const work = async () => {
      underWay += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      return underWay--
    }
    expect(await Promise.all([run(NEVER, work), run(NEVER, work), run(NEVER, work)])).toEqual([1, 1, 1])
  })

  it('are refused past a number while the token hangs, and go on once it answers', async () => {
    const queue = createSessionQueue(countedSessions().open, 3)
    let wake: () => void = () => undefined
    const hanging = new Promise<void>((resolve) => (wake = resolve))
    const waiting = [1, 2, 3].map(() => queue.run(NEVER, () => hanging))
    await expect(queue.run(NEVER, answer)).rejects.toBeInstanceOf(KeyStoreDown)
    expect(queue.waiting()).toBe(3)
    wake()
    await Promise.all(waiting)
    expect(queue.waiting()).toBe(0)
    await queue.run(NEVER, answer)
  })

  it('are not begun once nobody waits for them', async () => {
    const { counts, open } = countedSessions()
    await expect(createSessionQueue(open).run(AbortSignal.abort(), answer)).rejects.toThrow('busy')
    expect(counts.opened).toBe(0)
  })

  it('have a new session after one that failed, and keep it after what does not open', async () => {
    const { counts, open } = countedSessions()
    const { run } = createSessionQueue(open)
    await expect(run(NEVER, () => Promise.reject(new DoesNotOpen('x')))).rejects.toBeInstanceOf(DoesNotOpen)
    await run(NEVER, answer)
    expect(counts).toEqual({ opened: 1, closed: 0 })
    await expect(run(NEVER, () => Promise.reject(new Error('gone')))).rejects.toBeInstanceOf(KeyStoreDown)
    await run(NEVER, answer)
    expect(counts).toEqual({ opened: 2, closed: 1 })
  })
})
