/** What was measured: operations a second, and how long one took, in ms. */
export interface Pace {
  perSecond: number
  p50: number
  p99: number
}

/** Lets `clients` do `work` over and over for `seconds`, and measures each piece of it. */
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
  const elapsed = (performance.now() - begin) / 1000
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? NaN
  return { perSecond: took.length / elapsed, p50: at(0.5), p99: at(0.99) }
}
