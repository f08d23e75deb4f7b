const FIRST_MS = 1000
const LONGEST_MS = 300_000

/** How long to wait after so many attempts in vain, in ms: twice as long each time, up to five minutes. */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1))
}
