import * as v from 'valibot'

/**
 * A text that a person or a merchant gives: trimmed, at least one character and at most `max`. NUL, which
 * PostgreSQL cannot store, and lone surrogates, which are not text, are refused.
 */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('must not be empty'),
    v.maxLength(max, `must be at most ${String(max)} characters`),
    v.check(isWellFormed, 'must be well-formed text'),
  )

/** No NUL, which PostgreSQL can't store, and no half of a surrogate pair, which is not text. */
export function isWellFormed(value: string): boolean {
  return !/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value)
}
