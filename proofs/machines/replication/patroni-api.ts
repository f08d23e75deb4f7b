import * as v from 'valibot'

const Cluster = v.object({
  members: v.array(
    v.object({
      name: v.string(),
      role: v.string(),
      state: v.string(),
      timeline: v.optional(v.number()),
      lag: v.optional(v.union([v.number(), v.string()])),
    }),
  ),
})
type Member = v.InferOutput<typeof Cluster>['members'][number]

const TIMEOUT_MS = 2000
/** How far, in bytes of the write-ahead log, a standby that follows its leader may be behind, as Patroni saw it last. */
const MAX_LAG_BYTES = 16 * 1024 * 1024

/** All members that the Patroni at a port knows; none when it gives no answer. */
export async function membersBy(restPort: number): Promise<Member[]> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return v.parse(Cluster, await answer.json()).members
  } catch {
    return []
  }
}

/** Whether there are `count` members, one of them the leader and one its synchronous standby, and all others follow it. */
export function areWhole(members: readonly Member[], count: number): boolean {
  const timelines = new Set(members.map(({ timeline }) => timeline))
  const standbys = members.filter(({ role }) => role !== 'leader')
  return (
    members.length === count &&
    timelines.size === 1 &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    standbys.length === count - 1 &&
    standbys.some(({ role }) => role === 'sync_standby') &&
    standbys.every(({ lag }) => typeof lag === 'number' && lag < MAX_LAG_BYTES)
  )
}

/** Whether the Patroni at a port says that its PostgreSQL is the leader, as HAProxy asks it. */
export async function isLeader(restPort: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/primary`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.status === 200
  } catch {
    return false
  }
}

/** Hands over from the leader to its synchronous standby; resolves once that leads. */
export async function switchOver(restPort: number, leader: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader }),
  })
  if (answer.status !== 200) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
}
