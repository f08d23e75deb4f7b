/** Work that waits for time to pass; `passed` does all of it. */
export function createTimers() {
  const waiting = new Set<() => void>()
  return {
    after: (_ms: number, work: () => void) => {
      waiting.add(work)
      return () => void waiting.delete(work)
    },
    passed: () => {
      for (const work of waiting) work()
      waiting.clear()
    },
  }
}
