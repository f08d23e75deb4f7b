import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../errors.ts'
import { KeyStoreDown } from './master-keys.ts'
import type { KeyStore } from './master-keys.ts'
import { openToken, wordsOf } from './pkcs11-token.ts'
import type { TokenSession } from './pkcs11-token.ts'
import type { Pkcs11Settings } from './vault-settings.ts'

const IV_BYTES = 12

/**
 * Sessions on the token. A call occupies one of Node's four threads for such work until the token answers: with a token
 * that hangs, two are left for the rest of the process.
 */
const SESSIONS = 2

/**
 * Master keys in a PKCS#11 token (an HSM): it wraps data keys by AES-256-GCM (`CKM_AES_GCM`), and its keys never leave it.
 * A wrapped key is IV, ciphertext, tag. Throws a `ConfigError` when the token can't be used with these settings.
 */
export async function openPkcs11KeyStore(settings: Pkcs11Settings): Promise<KeyStore> {
  const open = openToken(settings)
  const queues = Array.from({ length: SESSIONS }, () => createSessionQueue(open))
  const run = async <Result>(signal: AbortSignal, work: (session: TokenSession) => Promise<Result>) => {
    const [shortest] = queues.sort((one, other) => one.waiting() - other.waiting())
    if (shortest === undefined) throw new Error('a token has no session')
    return shortest.run(signal, work)
  }
  await queues[0]?.run(AbortSignal.timeout(60_000), () => Promise.resolve()).catch(refuseStart)
  return {
    ids: settings.keys,
    wrap: (id, dataKey, { context, signal }) =>
      run(signal, async (session) => {
        const iv = randomBytes(IV_BYTES)
        return Buffer.concat([iv, await session.encrypt(id, iv, dataKey, context)])
      }),
    unwrap: (id, wrapped, { context, signal }) =>
      run(signal, (session) =>
        session
          .decrypt(id, wrapped.subarray(0, IV_BYTES), wrapped.subarray(IV_BYTES), context)
          .catch((error: unknown) => explain(session, id, error)),
      ),
  }
}

/** Modules report a wrapped key that does not open by various codes. A token that can still encrypt is not down. */
async function explain(session: TokenSession, id: string, error: unknown): Promise<never> {
  await session.encrypt(id, randomBytes(IV_BYTES), Buffer.alloc(32), 'still-there')
  throw new DoesNotOpen(`the token does not open it: ${wordsOf(error)}`)
}

function refuseStart(error: unknown): never {
  const cause = error instanceof KeyStoreDown ? error.cause : error
  if (cause instanceof ConfigError) throw cause
  throw new ConfigError(`SVC_VAULT_PKCS11_…: the token cannot be used: ${wordsOf(cause)}`, { cause })
}

/** The most calls that may wait for one session, so that a token that hangs does not hold up more. */
const MAX_WAITING = 1000

/** The wrapped key does not open; the token itself works. */
export class DoesNotOpen extends Error {
  override readonly name = 'DoesNotOpen'
}

/** One session, used by one call at a time, and reopened after it has failed. */
interface SessionQueue {
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
