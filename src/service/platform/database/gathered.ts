/**
 * A read by a key whose calls of the same moment are answered by one read of many keys: what shows a page of things reads once what
 * they refer to. Resolves with null where there is no such thing; rejects for all of them where the read fails.
 */
export function gathered<Found>(
  readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | null> {
  let next: { keys: Set<string>; found: Promise<ReadonlyMap<string, Found>> } | null = null
  const begin = () => {
    const keys = new Set<string>()
    // After all that runs now has asked.
    const found = Promise.resolve().then(() => {
      next = null
      return readMany([...keys])
    })
    return { keys, found }
  }
  return async (key) => {
    next ??= begin()
    next.keys.add(key)
    return (await next.found).get(key) ?? null
  }
}
