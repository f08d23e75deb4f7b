/** The bytes of a content that are asked for, first and last included. */
export interface ByteRange {
  first: number
  last: number
}

/** `bytes=0-99`, `bytes=100-` or `bytes=-100`. */
const ONE_RANGE = /^bytes=\s*(?=[^-]|-\d)(\d*)-(\d*)\s*$/

/**
 * What a `Range` header asks for of `length` bytes (RFC 9110 §14): one range, `unsatisfiable`, or null where the whole
 * content is the answer, as for several ranges, or another unit, or what can't be read.
 */
export function byteRangeOf(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | null {
  const [found, from = '', to = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (found === undefined) return null
  if (from === '') return lastBytes(Number(to), length)
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) >= length) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? length - 1 : Math.min(Number(to), length - 1) }
}

function lastBytes(count: number, length: number): ByteRange | 'unsatisfiable' {
  return count === 0 || length === 0
    ? 'unsatisfiable'
    : { first: Math.max(0, length - count), last: length - 1 }
}
