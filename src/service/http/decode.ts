import * as v from 'valibot'
import { ServiceError } from '../errors.ts'

/** Parses what came from outside; throws `validation_error` that names every fault by its path. */
export function decode<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return parsed.output
  const details = parsed.issues.map((issue) => ({ path: v.getDotPath(issue) ?? '', message: wordsOf(issue) }))
  throw new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details,
  })
}

/** A message of ours as it stands; valibot's own would repeat the value, which may be a card number. */
function wordsOf(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'is required'
  return issue.message.startsWith('Invalid')
    ? `must be ${issue.expected ?? 'of another kind'}`
    : issue.message
}
