import { setTimeout as sleep } from 'node:timers/promises'
import type { AgreementsClient } from './agreements-client.ts'

/** Requests a second of each kind. */
const PER_SECOND = 10

/** How long requests took, in ms, by kind. */
export type Latencies = Readonly<Record<string, readonly number[]>>

/** The requests that the merchant makes while payments are collected, by kind; `n` counts them. */
export type Requests = Readonly<Record<string, (client: AgreementsClient, n: number) => Promise<string>>>

/** Sends requests at an even pace until `isOver`, without waiting for earlier answers; then waits for all answers. */
export async function underLoad(
  client: AgreementsClient,
  requests: Requests,
  isOver: () => Promise<boolean>,
): Promise<Latencies> {
  const took: Record<string, number[]> = {}
  const asked: Promise<void>[] = []
  let n = 0
  const ask = (kind: string, request: Requests[string]) => {
    const began = performance.now()
    asked.push(
      request(client, n).then(() => {
        took[kind] = [...(took[kind] ?? []), performance.now() - began]
      }),
    )
  }
  const kinds = Object.entries(requests)
  const timer = setInterval(
    () => {
      const [kind, request] = kinds[n % kinds.length] ?? []
      if (kind !== undefined && request !== undefined) ask(kind, request)
      n += 1
    },
    1000 / PER_SECOND / kinds.length,
  )
  while (!(await isOver())) await sleep(250)
  clearInterval(timer)
  await Promise.all(asked)
  return took
}

/** In ms; `share` from 0 to 1. */
export function quantile(took: readonly number[], share: number): number {
  const sorted = took.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
