import { warn } from './warn.ts'

/** A merchant's object as JSON would carry it; an empty one, with a warning, for what it cannot. */
export function jsonOf(given: Record<string, unknown>): Record<string, unknown> {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(given))
    if (typeof copy === 'object' && copy && Object.keys(copy).every((key) => key.length <= 64))
      return { ...copy }
  } catch {
    // It refers to itself, or holds a BigInt: the warning says what is wanted.
  }
  warn('ignored meta: give a JSON object, keys up to 64 characters.')
  return {}
}
