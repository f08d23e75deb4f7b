import { ServiceError } from '../../../platform/errors.ts'

/** Whom work is done for. */
export interface Asker {
  /** Shares places with all else that is asked for by the same. */
  who: string
  /** Has been here before: by the account's usual network or device, a session, or a link that is good. */
  isKnown: boolean
}

/** Does work when its turn comes; throws `service_unavailable` when too much waits already. */
export type WorkQueue = <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>

interface Settings {
  /** How much is done at once. */
  atOnce: number
  /** How much may wait for that: of strangers, and as much again of those who are known. */
  maxWaiting: number
  /** How much of one asker may wait. */
  maxOfOne: number
}

type Line = { who: string; begin: () => void }[]

/**
 * A queue for work that keeps a processor busy, so that a flood of it leaves the processor to everyone else's requests. Strangers and
 * those who are known wait in lines of their own, which take turns: however many strangers there are, who is known has a place.
 */
export function createWorkQueue({ atOnce, maxWaiting, maxOfOne }: Settings): WorkQueue {
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
    // Finished work passes its slot on, so `underWay` stays as it is.
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
