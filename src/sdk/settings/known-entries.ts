import { MAX_VALUE_LENGTH } from '../../contract/page/widget-appearance.ts'
import { warn } from './warn.ts'

/**
 * The entries of a merchant's object whose keys the contract knows and whose values are texts it can carry. The
 * rest is left out with one warning that names the known keys: a typing mistake must not cost a sale.
 */
export function knownEntries<Key extends string>(
  what: string,
  keys: readonly Key[],
  given: object | null | undefined,
): Partial<Record<Key, string>> {
  const known: Partial<Record<Key, string>> = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries<unknown>({ ...given })) {
    const key = keys.find((candidate) => candidate === name)
    if (key && typeof value === 'string' && value.length <= MAX_VALUE_LENGTH) known[key] = value
    else ignored.push(name)
  }
  warnOfUnknown(`${what} (up to ${MAX_VALUE_LENGTH} characters)`, ignored, keys)
  return known
}

/** Those of a merchant's names that the contract knows; the rest is left out with one warning, likewise. */
export function knownNames<Name extends string>(
  what: string,
  names: readonly Name[],
  given: unknown,
): Name[] {
  const isKnown = (name: unknown): name is Name => names.some((known) => known === name)
  const list = listOf(given)
  warnOfUnknown(
    what,
    list.filter((name) => !isKnown(name)),
    names,
  )
  return list.filter(isKnown)
}

/** A merchant's list; what is none is a list of it alone. */
export function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

function warnOfUnknown(what: string, ignored: readonly unknown[], known: readonly string[]): void {
  if (ignored.length > 0)
    warn(`ignored ${ignored.map(String).join(', ')}. Known ${what}: ${known.join(', ')}.`)
}
