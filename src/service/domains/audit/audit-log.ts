import type { Database } from '../../platform/database/database.ts'
import { BEGINNING, linked, sealed } from './chain.ts'
import type { ChainHead } from './chain.ts'
import {
  goOnChecking,
  noteBroken,
  noteIntact,
  readHead,
  readSealed,
  readUnsealed,
  seal,
  takeCheckStep,
} from './chain-store.ts'
import type { SealStatement } from './chain-store.ts'

const SEALED_AT_ONCE = 500
const MAX_BATCHES = 20

/**
 * Seals the events that wait in the outbox. Any number of processes may do so at once: one of them wins each batch, and the chain has
 * no gap. Returns the length that the chain was last seen to have.
 */
export async function sealEvents(database: Database, statement: SealStatement): Promise<number> {
  let length = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { head, events } = await readUnsealed(database, SEALED_AT_ONCE)
    const isMine = events.length > 0 && (await seal(database, statement, head, sealed(head, events)))
    length = head.length + (isMine ? events.length : 0)
    if (!isMine || events.length < SEALED_AT_ONCE) break
  }
  return length
}

/** Intact up to its head, or broken: the first place that is not as it was sealed, and why. */
type ChainVerdict = { kind: 'intact'; head: ChainHead } | { kind: 'broken'; seq: number; reason: string }

/**
 * Recomputes the chain from its beginning while the service may go on sealing. A changed, deleted, inserted or
 * reordered event breaks it at its place; the head shows if events are missing at the end. If somebody rewrote events
 * and head alike, a head that was `noted` elsewhere before shows it.
 */
export async function verifyChain(database: Database, noted: ChainHead | null): Promise<ChainVerdict> {
  let end = BEGINNING
  for (;;) {
    const step = await verifyNext(database, end, noted)
    if (step.kind !== 'more') return step
    ;({ end } = step)
  }
}

/** Between two rounds of checks; events since the last round began are verified by the next. */
const PAUSE_SECONDS = 60
const NEXT_ROUND = { beginning: BEGINNING, pauseSeconds: PAUSE_SECONDS }

/**
 * Verifies the chain in rounds from its beginning to its end, one step of a thousand events a call. Of several processes
 * one makes the step. `onBroken` gets the first place that is not as it was sealed, once a round.
 */
export async function checkChain(
  database: Database,
  onBroken: (seq: number, reason: string) => void,
): Promise<void> {
  const due = await takeCheckStep(database)
  if (due === null) return
  const { from, noted } = due
  const step = await verifyNext(database, from, noted)
  if (step.kind === 'more') return goOnChecking(database, from, step.end)
  if (step.kind === 'intact') return noteIntact(database, from, step.head, NEXT_ROUND)
  onBroken(step.seq, step.reason)
  return noteBroken(database, from, step.seq, NEXT_ROUND)
}

const VERIFIED_AT_ONCE = 1000
const NOT_AS_NOTED = 'the hash is not the one that was noted'

/** Verifies some events after `from`, up to which the chain has been recomputed. */
async function verifyNext(
  database: Database,
  from: ChainHead,
  noted: ChainHead | null,
): Promise<ChainVerdict | { kind: 'more'; end: ChainHead }> {
  // Read before the events: sealing moves both at once, so that there are as many events at least.
  const head = await readHead(database)
  const events = await readSealed(database, from.length, VERIFIED_AT_ONCE)
  let end = from
  for (const { seq, hash, event } of events) {
    const expected = linked(end, event)
    if (seq !== expected.length) return broken(expected.length, 'the event is missing')
    if (!hash.equals(expected.hash)) return broken(seq, 'the event is not as it was sealed')
    end = expected
    if (noted?.length === seq && !noted.hash.equals(hash)) return broken(seq, NOT_AS_NOTED)
  }
  if (events.length === VERIFIED_AT_ONCE) return { kind: 'more', end }
  return end.length < head.length
    ? broken(end.length + 1, 'the event is missing')
    : verifyEnd(database, end, noted)
}

async function verifyEnd(database: Database, end: ChainHead, noted: ChainHead | null): Promise<ChainVerdict> {
  if (noted !== null && noted.length > end.length)
    return broken(end.length + 1, 'the chain was longer when it was noted')
  const head = await readHead(database)
  if (head.length < end.length) return broken(head.length + 1, 'the event was not sealed by the service')
  if (head.length === end.length && !head.hash.equals(end.hash))
    return broken(end.length, 'the head was changed')
  return { kind: 'intact', head: end }
}

function broken(seq: number, reason: string): ChainVerdict {
  return { kind: 'broken', seq, reason }
}
