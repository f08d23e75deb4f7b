import { linked } from './chain.ts'
import type { ChainHead, Event } from './chain.ts'
import type { EventLog, SealedEvent } from './event-log.ts'

const BATCH = 500
const MAX_BATCHES = 20

/**
 * Seals what waits in the outbox: each event gets its place and hash. Any number of processes may do this at once; one
 * of them wins each batch, and there is no gap in the chain. Answers with how many events the chain had when it was last looked at.
 */
export async function sealEvents(log: Pick<EventLog, 'unsealed' | 'seal'>): Promise<number> {
  let length = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { head, events } = await log.unsealed(BATCH)
    const isMine = events.length > 0 && (await log.seal(head, sealed(head, events)))
    length = head.length + (isMine ? events.length : 0)
    if (!isMine || events.length < BATCH) break
  }
  return length
}

function sealed(head: ChainHead, events: readonly Event[]): SealedEvent[] {
  let end = head
  return events.map((event) => {
    end = linked(end, event)
    return { seq: end.length, hash: end.hash, event }
  })
}
