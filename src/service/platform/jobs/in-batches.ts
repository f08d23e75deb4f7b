/**
 * Does things together that come one by one: what comes while a batch is being done waits for the next one. `doAll` answers with what
 * gives each thing's result. What is returned ends with the thing's result, or fails with the batch that it is in.
 */
export function inBatches<Thing, Result>(
  most: number,
  doAll: (things: readonly Thing[]) => Promise<(thing: Thing) => Result>,
): (thing: Thing) => Promise<Result> {
  interface Waiting {
    thing: Thing
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let isBusy = false

  async function doWaiting(): Promise<void> {
    isBusy = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        const resultOf = await doAll(batch.map(({ thing }) => thing))
        const results = batch.map(({ thing, resolve }) => ({ result: resultOf(thing), resolve }))
        for (const { result, resolve } of results) resolve(result)
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
