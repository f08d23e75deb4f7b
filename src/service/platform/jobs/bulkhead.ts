import type { MonotonicClock } from '../clocks.ts'
import type { OutboundGauge } from './fair-pool.ts'

/** How many calls of each account may be under way at once: one that hangs uses up its own slots, and no others. */
export interface Bulkhead extends OutboundGauge {
  /** Takes a slot, and answers with what gives it back; null when the account has none left. */
  enter: (accountId: string) => (() => void) | null
  refused: () => number
}

interface Settings {
  kind: string
  /** Slots of each account. */
  max: number
  clock: MonotonicClock
  /** Called when an account has no slot left, and not again before half of its slots are free. */
  warn: (facts: object, words: string) => void
}

export function createBulkhead({ kind, max, clock, warn }: Settings): Bulkhead {
  const accounts = new Map<string, Set<{ startedAt: number }>>()
  const full = new Set<string>()
  let refused = 0
  const all = () => [...accounts.values()].flatMap((calls) => [...calls])
  return {
    kind,
    enter(accountId) {
      const calls = accounts.get(accountId) ?? new Set()
      if (calls.size >= max) {
        refused += 1
        if (!full.has(accountId))
          warn({ kind, gateway_id: accountId, under_way: calls.size }, 'no more calls are begun for now')
        full.add(accountId)
        return null
      }
      const call = { startedAt: clock.elapsedMs() }
      accounts.set(accountId, calls.add(call))
      return () => {
        calls.delete(call)
        if (calls.size <= max / 2) full.delete(accountId)
        if (calls.size === 0) accounts.delete(accountId)
      }
    },
    underWay: () => all().length,
    oldestSeconds: () => Math.max(0, ...all().map(({ startedAt }) => clock.elapsedMs() - startedAt)) / 1000,
    refused: () => refused,
  }
}
