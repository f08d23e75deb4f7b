/** Does each work, also after one that throws: its error is reported as uncaught and stops nothing else. */
export function runAll(works: readonly (() => void)[]): void {
  for (const work of works) {
    try {
      work()
    } catch (error) {
      reportError(error)
    }
  }
}
