/**
 * Groups single calls into batches: what comes while a batch is under way waits for the next one. `doAll` handles a batch and
 * returns a function that gives each item its result. A call resolves with the result of its item, or rejects with its batch.
 */
export function inBatches<Thing, Result>(
  max: number,
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
      const batch = waiting.splice(0, max)
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
