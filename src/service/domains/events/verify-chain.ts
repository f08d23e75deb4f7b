import { linked } from './chain.ts'
import type { ChainHead } from './chain.ts'
import type { EventLog } from './event-log.ts'

const BATCH = 1000

/** What became of checking the chain: where it ends, or the first place that is not as it was sealed, and why. */
export type ChainCheck = { kind: 'intact'; head: ChainHead } | { kind: 'broken'; seq: number; reason: string }

/** Before the first event. */
export const BEGINNING: ChainHead = { length: 0, hash: Buffer.alloc(32) }

type Log = Pick<EventLog, 'head' | 'after'>

/**
 * Recomputes the chain from its beginning while the service may go on sealing. A changed, deleted, inserted or
 * reordered event breaks it at its place; events missing at the end are told by the head. Whoever can rewrite events
 * and head alike is found out by a head that was `noted` elsewhere before.
 */
export async function verifyChain(log: Log, noted: ChainHead | null): Promise<ChainCheck> {
  let end = BEGINNING
  for (;;) {
    const step = await verifyNext(log, end, noted)
    if (step.kind !== 'more') return step
    ;({ end } = step)
  }
}

/** One step of it: some events after `end`, up to which the chain has been recomputed. */
export async function verifyNext(
  log: Log,
  from: ChainHead,
  noted: ChainHead | null,
): Promise<ChainCheck | { kind: 'more'; end: ChainHead }> {
  // Read before the events: sealing moves both at once, so that there are as many events at least.
  const head = await log.head()
  const events = await log.after(from.length, BATCH)
  let end = from
  for (const { seq, hash, event } of events) {
    const expected = linked(end, event)
    if (seq !== expected.length) return broken(expected.length, 'the event is missing')
    if (!hash.equals(expected.hash)) return broken(seq, 'the event is not as it was sealed')
    end = expected
    if (noted?.length === seq && !noted.hash.equals(hash)) return broken(seq, NOT_AS_NOTED)
  }
  if (events.length === BATCH) return { kind: 'more', end }
  return end.length < head.length ? broken(end.length + 1, 'the event is missing') : ended(log, end, noted)
}

const NOT_AS_NOTED = 'the hash is not the one that was noted'

async function ended(log: Log, end: ChainHead, noted: ChainHead | null): Promise<ChainCheck> {
  if (noted !== null && noted.length > end.length)
    return broken(end.length + 1, 'the chain was longer when it was noted')
  const head = await log.head()
  if (head.length < end.length) return broken(head.length + 1, 'the event was not sealed by the service')
  if (head.length === end.length && !head.hash.equals(end.hash))
    return broken(end.length, 'the head was changed')
  return { kind: 'intact', head: end }
}

function broken(seq: number, reason: string): ChainCheck {
  return { kind: 'broken', seq, reason }
}
