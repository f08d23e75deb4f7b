/** Throws at once, naming the known, for a name that would never do anything: a page without types may pass any. */
export function checkKnown(what: string, known: readonly string[], given: string): void {
  if (!known.includes(given)) throw new TypeError(`Unknown ${what} "${given}". Known: ${known.join(', ')}.`)
}
