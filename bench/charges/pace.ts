/** Operations per second, and the time of one in ms (p50 and p99). */
export interface Pace {
  perSecond: number
  p50: number
  p99: number
}

/** Repeats `work` in `clients` parallel loops for `seconds`, and measures each run. */
export async function paceOf(clients: number, seconds: number, work: () => Promise<void>): Promise<Pace> {
  const took: number[] = []
  const begin = performance.now()
  const end = begin + seconds * 1000
  const client = async () => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await work()
      took.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return paceFrom(took, (performance.now() - begin) / 1000)
}

/** `took`: how long each operation took, in ms; `elapsed`: how long all of them together, in s. */
export function paceFrom(took: readonly number[], elapsed: number): Pace {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { perSecond: sorted.length / elapsed, p50: at(0.5), p99: at(0.99) }
}
