import * as v from 'valibot'

/**
 * Text from a person or a merchant: trimmed, well-formed, 1 to `max` characters. Like JSON Schema it counts Unicode's: an emoji is one, or a few.
 */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('must not be empty'),
    v.maxCodePoints(max, `must be at most ${String(max)} characters`),
    v.metadata({ maxLength: max }),
    v.check(isWellFormed, 'must be well-formed text'),
  )

/** A text in a change, which may take it away: null, as is one that is empty. */
/* @__NO_SIDE_EFFECTS__ */
export const textOrNone = (max: number) =>
  v.pipe(
    v.nullable(
      v.pipe(
        v.string(),
        v.trim(),
        v.maxCodePoints(max, `must be at most ${String(max)} characters`),
        v.metadata({ maxLength: max }),
        v.check(isWellFormed, 'must be well-formed text'),
      ),
    ),
    v.transform((given) => (given === '' ? null : given)),
  )

/** Whether a text has no NUL, which PostgreSQL can't store, and no half of a surrogate pair. */
export function isWellFormed(value: string): boolean {
  return !/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value)
}
