import * as v from 'valibot'
import { isWellFormed } from './text.ts'

const DEEPEST = 5
const LONGEST = 4096

/** Anything that a merchant wants to hand along with a card: JSON, small, not deep, its texts well-formed. */
export const Meta = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((meta) => isPlain(meta, DEEPEST), 'meta must be at most 5 levels deep, with well-formed texts'),
  v.check((meta) => JSON.stringify(meta).length <= LONGEST, 'meta must be at most 4096 characters of JSON'),
)

function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    levels > 0 &&
    Object.entries(value).every(([key, inner]) => isWellFormed(key) && isPlain(inner, levels - 1))
  )
}
