import * as v from 'valibot'
import { invalidRequest } from '../../errors.ts'
import { refuseSensitive } from './refuse-sensitive.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'

/**
 * Parses what came from outside; throws `validation_error` that names every fault by its path, and every place where a
 * card number or a secret of this service stands: only the fields in `notKeptInPlain` may hold one.
 */
export function decode<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  notKeptInPlain: readonly string[] = [],
): v.InferOutput<Schema> {
  // An object schema would accept an array as an object without fields.
  if (Array.isArray(input)) throw invalidRequest([{ path: '', message: 'must be an object' }])
  const parsed = v.safeParse(schema, input)
  if (parsed.success) {
    refuseSensitive(input, parsed.output, notKeptInPlain)
    return parsed.output
  }
  throw invalidRequest(
    parsed.issues.map((issue) => ({ path: v.getDotPath(issue) ?? '', message: wordsOf(issue) })),
  )
}

/** `decode` for the body of a request: its optional fields that are `""` or null count as left out (contract §2). */
export function decodeBody<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  notKeptInPlain: readonly string[] = [],
): v.InferOutput<Schema> {
  return decode(schema, withoutEmptyFields(schema, body), notKeptInPlain)
}

/** A message of ours as it stands; valibot's own would repeat the value, which may be a card number. */
function wordsOf(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'is required'
  if (!issue.message.startsWith('Invalid')) return issue.message
  if (issue.expected === 'never') return 'is not known here'
  const [, most] = /^<=(\d+)$/.exec(issue.expected ?? '') ?? []
  if (most !== undefined)
    return `must be at most ${most}${typeof issue.input === 'string' ? ' characters' : ''}`
  return `must be ${KINDS.get(issue.expected) ?? issue.expected ?? 'of another kind'}`
}

/** Kinds of values by the names that valibot has for them. */
const KINDS: ReadonlyMap<string | null, string> = new Map([
  ['Object', 'an object'],
  ['Array', 'an array'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
])
