import { isReturnUrl } from '../../contract/page/return-url.ts'
import { MAX_VALUE_LENGTH } from '../../contract/page/widget-appearance.ts'

/**
 * Keeps the entries with a known key and a text of allowed length. Ignores the rest with one warning that names the known
 * keys: a typing mistake must not cost a sale.
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

/** Keeps the known names of a merchant's list. Ignores the rest with one warning. */
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

/** A merchant's list; any other value becomes a list of one. */
export function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

/** What a page gave as a name, as text: of all but texts the type, as an object's own conversion may throw. */
export function nameOf(given: unknown): string {
  return typeof given === 'string' ? given : typeof given
}

function warnOfUnknown(what: string, ignored: readonly unknown[], known: readonly string[]): void {
  if (ignored.length > 0)
    warn(`ignored ${ignored.map(nameOf).join(', ')}. Known ${what}: ${known.join(', ')}.`)
}

/** The address of a page of the shop, which may be relative to this page. Any other value is ignored with a warning. */
export function returnUrlIn(given: unknown): { return_url?: string } {
  const url = nameOf(given)
  const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : ''
  if (isReturnUrl(address)) return { return_url: address }
  warn('ignored the return URL: give an https address (http on localhost), without a user name.')
  return {}
}

/** Warns the merchant's developer in the page's console. */
function warn(message: string): void {
  // oxlint-disable-next-line no-console -- documented: ignored settings are reported there
  console.warn(`[svc] ${message}`)
}

/** A merchant's object as JSON holds it. Anything else becomes an empty object, with a warning. */
export function jsonOf(given: Record<string, unknown>): Record<string, unknown> {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(given, asItIs))
    if (typeof copy === 'object' && copy && Object.keys(copy).every((key) => key.length <= 64))
      return { ...copy }
  } catch {
    // JSON cannot hold it: it refers to itself, or contains a BigInt.
  }
  warn('ignored meta: give a JSON object, keys up to 64 characters.')
  return {}
}

/** Lists and plain objects as they are: old libraries give all of them a `toJSON` that turns lists into texts. */
function asItIs(this: Record<string, unknown>, key: string, converted: unknown): unknown {
  const value = this[key]
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'toJSON')) return converted
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype ? value : converted
}

/** Throws a TypeError that lists the known names if a page without types passes another one. */
export function requireKnown(what: string, known: readonly string[], given: string): void {
  if (!known.includes(given)) throw new TypeError(`Unknown ${what} "${given}". Known: ${known.join(', ')}.`)
}
