/** Does each work, also after one that throws: its error surfaces as uncaught and stops nothing else. */
export function runAll(works: readonly (() => void)[]): void {
  for (const work of works) {
    try {
      work()
    } catch (error) {
      setTimeout(() => {
        throw error
      })
    }
  }
}
