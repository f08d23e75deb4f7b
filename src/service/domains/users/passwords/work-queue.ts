import { ServiceError } from '../../../platform/errors.ts'

/** Does work when its turn comes; throws `service_unavailable` when too much waits already. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Settings {
  /** How much is done at once. */
  atOnce: number
  /** How much may wait for that. */
  maxWaiting: number
}

/** A queue for work that keeps a processor busy, so that a flood of it leaves the processor to everyone else's requests. */
export function createWorkQueue({ atOnce, maxWaiting }: Settings): WorkQueue {
  const waiting: (() => void)[] = []
  let underWay = 0
  const begin = async () => {
    if (underWay < atOnce) {
      underWay += 1
      return
    }
    if (waiting.length >= maxWaiting) throw tooBusy()
    // A finished task passes its slot on, so `underWay` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const end = () => {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }
  return async (work) => {
    await begin()
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
