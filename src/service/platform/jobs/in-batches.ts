/**
 * Does things together that come one by one: what comes while a batch is being done waits for the next one. What is returned ends, or
 * fails, with the batch that a thing is in.
 */
export function inBatches<Thing>(
  most: number,
  doAll: (things: readonly Thing[]) => Promise<unknown>,
): (thing: Thing) => Promise<void> {
  interface Waiting {
    thing: Thing
    resolve: () => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let isBusy = false

  async function doWaiting(): Promise<void> {
    isBusy = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        await doAll(batch.map(({ thing }) => thing))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isBusy = false
  }

  return (thing) =>
    new Promise((resolve, reject) => {
      waiting.push({ thing, resolve, reject })
      if (!isBusy) void doWaiting()
    })
}
