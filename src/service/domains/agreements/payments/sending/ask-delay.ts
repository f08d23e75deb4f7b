const FIRST_MS = 2000
const LONGEST_MS = 3_600_000

/** How long until the network is asked after a payment again, in ms, when it was sent or asked after so often: each time twice as long. */
export function askDelayMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1))
}
