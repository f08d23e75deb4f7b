interface Delays {
  firstMs: number
  longestMs: number
}

/** How long to wait after so many attempts, in ms: twice as long each time, up to the longest. */
export function doublingDelay(attempts: number, { firstMs, longestMs }: Delays): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1))
}
