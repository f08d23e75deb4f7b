import { KeyStoreDown } from './key-store.ts'
import { wordsOf } from './pkcs11-token.ts'
import type { TokenSession } from './pkcs11-token.ts'

/** The most calls that may wait for one session, so that a token that hangs does not hold up more. */
const MAX_WAITING = 1000

/** The wrapped key does not open; the token itself works. */
export class DoesNotOpen extends Error {
  override readonly name = 'DoesNotOpen'
}

/** One session, used by one call at a time, and reopened after it has failed. */
export interface SessionQueue {
  waiting: () => number
  /** Rejects with `KeyStoreDown` when the token can't work, or too many wait already; with `DoesNotOpen` as `work` does. */
  run: <Result>(signal: AbortSignal, work: (session: TokenSession) => Promise<Result>) => Promise<Result>
}

export function createSessionQueue(open: () => TokenSession, maxWaiting = MAX_WAITING): SessionQueue {
  let session: TokenSession | null = null
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const once = async <Result>(
    signal: AbortSignal,
    work: (session: TokenSession) => Promise<Result>,
  ): Promise<Result> => {
    if (signal.aborted) throw busy()
    try {
      session ??= open()
      return await work(session)
    } catch (error) {
      if (error instanceof DoesNotOpen) throw error
      closeQuietly(session)
      session = null
      throw new KeyStoreDown(`the token: ${wordsOf(error)}`, { cause: error })
    }
  }
  return {
    waiting: () => waiting,
    run(signal, work) {
      if (waiting >= maxWaiting) return Promise.reject(busy())
      waiting += 1
      const mine = last.then(() => once(signal, work)).finally(() => (waiting -= 1))
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

function busy(): KeyStoreDown {
  return new KeyStoreDown('the token is busy')
}

function closeQuietly(session: TokenSession | null): void {
  try {
    session?.close()
  } catch {
    // It is gone with the token.
  }
}
