import { ServiceError } from '../../platform/errors.ts'
import { findArgon2 } from './argon2.ts'
import type { Argon2 } from './argon2.ts'

/** argon2id with 19 MiB, two passes and one thread: OWASP's Password Storage Cheat Sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once, of some 40 ms each (20 by the package), leave the processor to payments. The last of 20 waits 0.4 s. */
const QUEUE = { atOnce: 2, maxWaiting: 20, maxOfOne: 4 }

/** Stands in where an account has no password, so that a comparison takes as long: the hash of a random password. */
const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$a2YHB7/OpILqYVCPFV/98Q$4lxmfBi3ii/jfS3I4T88owyDRDkxZh/arDbs29YkDXw'

/** Hashes and compares passwords. Throws `service_unavailable` when too many are waiting. */
export interface PasswordHashes {
  hash: (password: string, asker: Asker) => Promise<string>
  /** `kept` null never matches, but takes as long. */
  matches: (kept: string | null, password: string, asker: Asker) => Promise<boolean>
}

/** `find` looks for an implementation of argon2 when the first password comes. */
export function createPasswordHashes(find: () => Promise<Argon2> = findArgon2): PasswordHashes {
  const inTurn = createHashQueue(QUEUE)
  return {
    hash: (password, asker) => inTurn(asker, async () => (await find()).hash(sameText(password), COST)),
    async matches(kept, password, asker) {
      const isSame = await inTurn(asker, async () =>
        (await find()).verify(kept ?? DECOY_HASH, sameText(password)),
      )
      return isSame && kept !== null
    },
  }
}

/** Keyboards write one letter by different code points (NIST SP 800-63B-4 §3.1.1.2). */
function sameText(password: string): string {
  return password.normalize('NFKC')
}

/** Whom a password is hashed for. */
interface Asker {
  /** Requests with the same `who` share places in the queue. */
  who: string
  /** The account's usual network or device, a session, or a valid link. Strangers have a line of their own. */
  isKnown: boolean
}

interface QueueLimits {
  /** How many run at once. */
  atOnce: number
  /** How many may wait: of strangers, and as many again of those who are known. */
  maxWaiting: number
  /** How many of one asker may wait. */
  maxOfOne: number
}

/** Does work when its turn comes. Throws `service_unavailable` when too much is waiting. */
type HashQueue = <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>

type Line = { who: string; begin: () => void }[]

/**
 * A queue that keeps a flood of hashing from taking the processor from other requests. Strangers and known askers wait in two
 * lines that take turns, so that any number of strangers leaves a place to those who are known.
 */
export function createHashQueue({ atOnce, maxWaiting, maxOfOne }: QueueLimits): HashQueue {
  const known: Line = []
  const strangers: Line = []
  let next = known
  let underWay = 0
  const begin = async ({ who, isKnown }: Asker) => {
    if (underWay < atOnce) {
      underWay += 1
      return
    }
    const line = isKnown ? known : strangers
    const own = line.filter((one) => one.who === who).length
    if (line.length >= maxWaiting || own >= maxOfOne) throw tooBusy()
    // Finished work passes its slot on, so `underWay` does not change here.
    await new Promise<void>((resolve) => line.push({ who, begin: resolve }))
  }
  const end = () => {
    const turn = next.shift() ?? (next === known ? strangers : known).shift()
    next = next === known ? strangers : known
    if (turn === undefined) underWay -= 1
    else turn.begin()
  }
  return async (asker, work) => {
    await begin(asker)
    try {
      return await work()
    } finally {
      end()
    }
  }
}

function tooBusy(): ServiceError {
  const words =
    'Too many people are signing in just now. Nothing was done; try again after Retry-After seconds.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2 })
}
