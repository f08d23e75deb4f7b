import { MAX_VALUE_LENGTH } from '../contract/widget-appearance.ts'
import { warn } from './warn.ts'

/**
 * The entries of a merchant's object whose keys the contract knows and whose values are texts it can carry. The
 * rest is left out with one warning that names the known keys: a typing mistake must not cost a sale.
 */
export function knownEntries<Key extends string>(
  what: string,
  keys: readonly Key[],
  given: Partial<Record<Key, string>>,
): Partial<Record<Key, string>> {
  const known: Partial<Record<Key, string>> = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries<unknown>(given)) {
    const key = keys.find((candidate) => candidate === name)
    if (key && typeof value === 'string' && value.length <= MAX_VALUE_LENGTH) known[key] = value
    else ignored.push(name)
  }
  if (ignored.length > 0) {
    const limit = `texts of at most ${String(MAX_VALUE_LENGTH)} characters`
    warn(`ignored ${what} ${ignored.join(', ')}. Known (${limit}): ${keys.join(', ')}.`)
  }
  return known
}
