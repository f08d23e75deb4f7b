/** With more typing errors than this nobody can tell what was meant. */
const MAX_SLIPS = 3

/** Which of the known names was meant by one that is misspelt; null where none is near. */
export function likelyName(given: string, known: readonly string[]): string | null {
  const [likely] = known
    .map((name) => ({ name, slips: slipsBetween(given, name) }))
    .filter(({ slips }) => slips <= MAX_SLIPS)
    .sort((one, other) => one.slips - other.slips)
  return likely?.name ?? null
}

/** Letters to be added, removed, replaced or swapped with their neighbour (optimal string alignment distance). */
function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, j - 2) + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return at(row, other.length)
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Infinity
}
