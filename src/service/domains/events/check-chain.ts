import type { ChainCheckStore } from './chain-check-store.ts'
import type { EventLog } from './event-log.ts'
import { BEGINNING, verifyNext } from './verify-chain.ts'

interface Parts {
  log: Pick<EventLog, 'head' | 'after'>
  store: ChainCheckStore
  /** Called with the first place that is not as it was sealed, once a round. */
  onBroken: (seq: number, reason: string) => void
}

/** Between two rounds: what happened since the last one began is verified by the next. */
const PAUSE_SECONDS = 60

/**
 * Verifies the chain by and by, in rounds from its beginning to its end: each call makes one step, of a thousand events. At
 * any number of processes one makes it.
 */
export function createCheckChain({ log, store, onBroken }: Parts): () => Promise<void> {
  const next = { beginning: BEGINNING, pauseSeconds: PAUSE_SECONDS }
  return async () => {
    const due = await store.takeStep()
    if (due === null) return
    const { from, noted } = due
    const step = await verifyNext(log, from, noted)
    if (step.kind === 'more') return store.goOn(from, step.end)
    if (step.kind === 'intact') return store.intact(from, step.head, next)
    onBroken(step.seq, step.reason)
    return store.broken(from, step.seq, next)
  }
}
