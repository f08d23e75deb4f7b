/** Work that waits for time to pass; `passed` does what waits then, each once: all of it, or what waits for no more than some ms. */
export function createTimers() {
  const waiting = new Map<() => void, number>()
  return {
    after: (ms: number, work: () => void) => {
      waiting.set(work, ms)
      return () => void waiting.delete(work)
    },
    passed: (longest = Infinity) => {
      for (const [work, ms] of [...waiting]) if (ms <= longest && waiting.delete(work)) work()
    },
  }
}
