import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { GenericSchema } from 'valibot'
import { schemeOf } from '../../../../card/scheme.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import { invalidRequest, ServiceError } from '../../errors.ts'
import { sensitiveIn } from '../../secrets/secret-in-text.ts'
import type { Sensitive } from '../../secrets/secret-in-text.ts'
import type { Operation } from '../operation.ts'

/**
 * Parses what came from outside; throws `validation_error` that names every faulty field by its path, with its first fault, and every place where a
 * card number or a secret of this service stands: only the fields in `notKeptInPlain` may hold one.
 */
export function decode<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  notKeptInPlain: readonly string[] = [],
): v.InferOutput<Schema> {
  // An object schema would accept an array as an object without fields.
  if (Array.isArray(input)) throw invalidRequest([{ path: '', message: 'must be an object' }])
  const parsed = v.safeParse(schema, input, { abortPipeEarly: true })
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

/**
 * A body without those optional fields of its schema that are `""` or null, as forms and typed clients send what nobody filled in
 * (contract §2). Fields that the schema does not have stay, so that it refuses them; so do those that it has as `exactOptional`,
 * where an empty value could be a lost one.
 */
export function withoutEmptyFields(schema: GenericSchema, body: unknown): unknown {
  const entries = entriesOf(schema)
  if (entries === null || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
      if (!isSchema(entry)) return [[name, value]]
      const isLeftOut = entry.type === 'optional' && (value === '' || value === null)
      return isLeftOut ? [] : [[name, withoutEmptyFields(innerOf(entry), value)]]
    }),
  )
}

/** The fields of an object's schema, by name; null for a schema of anything else. */
function entriesOf(schema: GenericSchema): Readonly<Record<string, unknown>> | null {
  return 'entries' in schema && isRecord(schema.entries) ? schema.entries : null
}

/** What an optional field is when it is there. */
function innerOf(schema: GenericSchema): GenericSchema {
  return schema.type === 'optional' && 'wrapped' in schema && isSchema(schema.wrapped)
    ? schema.wrapped
    : schema
}

function isSchema(value: unknown): value is GenericSchema {
  return isRecord(value) && value['kind'] === 'schema'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const CARD_NUMBER = 'holds a card number; a card number goes into card_number alone'

/**
 * Throws `validation_error` when a text, number or name of a request, at any depth, holds a card number or a secret of this service:
 * what is kept in plain must hold none. It is looked for in what was sent and in what that was parsed to, as small letters hide what
 * is in base64, and an address is kept without its line breaks. `except` names the top-level fields that are not kept in plain:
 * sealed, or only looked up.
 */
function refuseSensitive(sent: unknown, parsed: unknown, except: readonly string[] = []): void {
  const clean = new Set<string>()
  const inSent = sensitiveFaultsOf(sent, except, clean)
  const details = inSent.length > 0 ? inSent : sensitiveFaultsOf(parsed, except, clean)
  if (details.length === 0) return
  const what = details.some(({ message }) => message === CARD_NUMBER) ? 'A card number' : 'A secret'
  throw new ServiceError('validation_error', `${what} stands where it must not. Nothing was kept.`, {
    details,
  })
}

/** `clean`: texts that have been looked at and hold nothing. */
function sensitiveFaultsOf(given: unknown, except: readonly string[], clean: Set<string>): ErrorDetail[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([name, value]) =>
    except.includes(name) ? [] : faultsIn(value, name, clean),
  )
}

function faultsIn(value: unknown, path: string, clean: Set<string>): ErrorDetail[] {
  const found = foundIn(value, clean)
  if (found !== null) return [{ path, message: sensitiveWordsOf(found) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const inName = foundIn(name, clean)
    return inName === null
      ? faultsIn(inner, `${path}.${name}`, clean)
      : [{ path, message: sensitiveWordsOf(inName) }]
  })
}

function foundIn(value: unknown, clean: Set<string>): Sensitive | null {
  if (typeof value === 'number') return couldBeCardNumber(value) ? 'card number' : null
  if (typeof value !== 'string' || clean.has(value)) return null
  const found = sensitiveIn(value)
  if (found === null) clean.add(value)
  return found
}

function sensitiveWordsOf(found: Sensitive): string {
  if (found === 'card number') return CARD_NUMBER
  return `holds a secret (${found}); send it only where it is asked for, and refer to things by their ids`
}

/**
 * Fractions are measurements, not card numbers. JSON numbers of 17 digits and more lose their last digits, so only their range and
 * length are checked.
 */
function couldBeCardNumber(value: number): boolean {
  const digits = String(Math.abs(value))
  if (!Number.isInteger(value) || Number.isSafeInteger(value))
    return sensitiveIn(String(Math.trunc(value))) !== null
  return schemeOf(digits)?.lengths.includes(digits.length) ?? false
}

/**
 * Refuses, on every route that takes a merchant's key, query names that the route does not have, and a body where it takes none: an
 * amount that is not read could move more money than was meant (contract §2). Unknown fields of a body are refused by its schema.
 */
export function refuseUnknownNames(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    const details =
      operation === undefined || !TAKES_KEYS.has(operation.key) ? [] : unknownNamesIn(request, operation)
    done(details.length === 0 ? undefined : invalidRequest(details))
  })
}

const TAKES_KEYS: ReadonlySet<Operation['key']> = new Set([
  'public',
  'secret',
  'oauth',
  'checkout',
  'authentication',
])

function unknownNamesIn({ query, body }: FastifyRequest, operation: Operation): ErrorDetail[] {
  const known = operation.query === undefined ? [] : namesOf(operation.query)
  const unknown = namesIn(query).filter(
    (name) => !known.includes(name.replace(/^metadata\[.*\]$/s, 'metadata')),
  )
  const words =
    known.length === 0
      ? 'is not known here: nothing is read from the query'
      : `is not known here; known: ${known.join(', ')}`
  const faults = unknown.map((path) => ({ path, message: words }))
  const isBare = operation.body !== undefined || body === undefined || isEmpty(body)
  return isBare ? faults : [...faults, { path: '', message: 'takes no body: nothing is read from it' }]
}

function namesOf({ schema }: NonNullable<Operation['query']>): readonly string[] {
  return 'entries' in schema ? namesIn(schema.entries) : []
}

function namesIn(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** `{}`, as some clients send it with every request. */
function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && namesIn(body).length === 0
}
