import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { byStatus, ERROR_WORDS } from './error-words.ts'
import { refTo } from './json-schema.ts'
import type { Json } from './json-schema.ts'
import { RECORDED } from './recorded-answers.ts'
import type { Route } from './routes.ts'

type Answer = Operation['answers'][number]

/** What one status of an operation can look like. */
interface Shape {
  words: string
  media: string
  schema: Json
  example?: unknown
}

/** `responses` of an operation: its own answers, and every error that it can end in, by status. */
export function responsesOf(route: Route, operation: Operation): Json {
  const shapes = new Map<number, Shape[]>()
  const add = (status: number, shape: Shape) => shapes.set(status, [...(shapes.get(status) ?? []), shape])
  for (const answer of operation.answers) add(answer.status, answered(route, answer))
  for (const [status, codes] of byStatus(errorsOf(route, operation))) {
    add(status, refused(route, status, codes, operation.refusalShows))
  }
  const sorted = [...shapes].sort(([one], [other]) => one - other)
  return Object.fromEntries(sorted.map(([status, all]) => [status, response(status, all, operation)]))
}

/** The errors that follow from what an operation is, and its own. */
export function errorsOf({ method }: Route, operation: Operation): Set<ErrorCode> {
  const isAlwaysServed = operation.isAlwaysServed === true
  return new Set<ErrorCode>([
    'validation_error',
    'system_error',
    ...(isAlwaysServed ? [] : (['rate_limited', 'service_unavailable'] as const)),
    ...(operation.key === 'none' ? [] : (['unauthorized'] as const)),
    ...(operation.key === 'oauth' ? (['insufficient_scope'] as const) : []),
    ...(operation.isRepeatable === true
      ? (['request_in_progress', 'idempotency_key_reused', 'outcome_unknown'] as const)
      : []),
    ...(method === 'GET' ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(operation.errors ?? []),
  ])
}

function answered(route: Route, answer: Answer): Shape {
  const { status, words, resource, isPage = false, media = 'application/json' } = answer
  if (resource === undefined) return { words, media, schema: {} }
  const one = { $ref: refTo(resource.name) }
  const next = { next: { type: ['string', 'null'], description: 'cursor of the next page' } }
  const schema = envelope(
    status,
    { type: 'null' },
    { const: route.resourceType },
    {
      data: isPage ? { type: 'array', items: one } : one,
      ...(isPage && next),
    },
  )
  return { words, media, schema, example: recordedAnswer(route, status) ?? exampleAnswer(route, answer) }
}

/** What the service answered when it was asked for the example. */
function recordedAnswer({ operation }: Route, status: number): unknown {
  const recorded = RECORDED[operation?.id ?? '']
  return recorded?.status === status ? recorded.body : undefined
}

/** For a status that the example does not lead to. */
function exampleAnswer({ resourceType }: Route, { status, resource, isPage = false }: Answer): Json {
  const data = isPage ? [resource?.example] : resource?.example
  return { status, error: null, resource: { type: resourceType, data, ...(isPage && { next: null }) } }
}

function refused(
  { resourceType }: Route,
  status: number,
  codes: readonly ErrorCode[],
  shown: DescribedResource | undefined,
): Shape {
  const nothing = { type: 'null' }
  const data = shown === undefined ? nothing : { anyOf: [nothing, { $ref: refTo(shown.name) }] }
  const error = {
    allOf: [{ $ref: refTo('Error') }],
    properties: { code: { enum: codes } },
  }
  const [code = 'system_error'] = codes
  return {
    words: codes.map((one) => `\`${one}\`: ${ERROR_WORDS[one]}`).join('\n\n'),
    media: 'application/json',
    schema: envelope(status, error, { enum: [...new Set([resourceType, 'error'])] }, { data }),
    example: {
      status,
      error: { code, message: ERROR_WORDS[code] },
      resource: { type: resourceType, data: null },
    },
  }
}

function envelope(status: number, error: Json, type: Json, resource: Json): Json {
  return {
    type: 'object',
    properties: {
      status: { const: status },
      error,
      resource: {
        type: 'object',
        properties: { type, ...resource },
        required: ['type', ...Object.keys(resource)],
        additionalProperties: false,
      },
    },
    required: ['status', 'error', 'resource'],
    additionalProperties: false,
  }
}

const header = (name: string): Json => ({ [name]: { $ref: `#/components/headers/${name}` } })

/** The answer to an access token also names a scope that it lacks (RFC 6750, section 3). */
function isChallenge(status: number, key: Operation['key']): boolean {
  return status === 401 ? key !== 'none' : status === 403 && key === 'oauth'
}

function response(
  status: number,
  shapes: readonly Shape[],
  { isRepeatable, isTagged, key }: Operation,
): Json {
  const [first] = shapes
  const schemas = shapes.map(({ schema }) => schema)
  const isSuccess = status < 300
  return {
    description: shapes.map(({ words }) => words).join('\n\n'),
    headers: {
      ...header('x-request-id'),
      ...([409, 429, 503].includes(status) && header('Retry-After')),
      ...(isSuccess && isRepeatable === true && header('Idempotent-Replayed')),
      ...(isSuccess && isTagged === true && header('ETag')),
      ...(isChallenge(status, key) && header('WWW-Authenticate')),
    },
    content: {
      [first?.media ?? 'application/json']: {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        ...(first?.example !== undefined && { example: first.example }),
      },
    },
  }
}
