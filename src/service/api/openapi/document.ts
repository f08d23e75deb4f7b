import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { responsesOf } from './answers.ts'
import { isJson, jsonSchemaOf, namedSchemas, refTo, withPlainNulls } from './json-schema.ts'
import type { Json } from './json-schema.ts'
import type { Route } from './routes.ts'
import { webhookMessages } from './webhook-messages.ts'

interface DocumentSettings extends Issuing {
  version: string
}

/** A route that the reference shows. */
export type DescribedRoute = Route & { operation: Operation }

/** The OpenAPI 3.1 document of these routes; those that carry no operation are not in it. */
export function openApiDocument(
  routes: readonly Route[],
  { version, baseUrl, oauthIssuer }: DocumentSettings,
): Json {
  const described = routes.filter(isDescribed)
  const groups = [...new Set(described.map(({ operation }) => operation.group))]
  const paths: Record<string, Json> = {}
  const bodySchemas: Record<string, Json> = {}
  for (const route of described) {
    const operation = operationObject(route, bodySchemas)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Card service',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: groups.map((name) => ({ name })),
    paths: withPlainNulls(paths),
    webhooks: webhookMessages(),
    components: {
      schemas: withPlainNulls({
        Error: errorSchema,
        ErrorCode: errorCodeSchema,
        ...namedSchemas,
        ...resourceSchemas(described),
        ...bodySchemas,
      }),
      headers,
      securitySchemes: securitySchemes({ baseUrl, oauthIssuer }),
    },
  }
}

/** What holds for every operation. */
const INTRODUCTION = `Every answer, errors too, has the same shape: \`{status, error, resource: {type, data}}\`. \
\`status\` is the HTTP status, \`error\` is null or \`{code, message, details?}\`, and \`code\` is stable. Amounts are \
decimal strings in requests and numbers in answers; times are ISO 8601 in UTC; ids are 24 hex characters. An optional field of a \
body that is null or \`""\` counts as left out, though the schemas have what is meant to be sent; \`amount\` and \`capture\` are refused then.`

export function isDescribed(route: Route): route is DescribedRoute {
  return route.operation !== undefined
}

function operationObject(route: DescribedRoute, bodySchemas: Record<string, Json>): Json {
  const { operation } = route
  const { id, group, summary, description, key, scope, body } = operation
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    security: key === 'none' ? [] : [{ [key]: scope === undefined ? [] : [scope] }],
    parameters: [
      ...parametersOf('path', id, operation.params),
      ...parametersOf('query', id, operation.query),
      ...(operation.isRepeatable === true ? [idempotencyKey] : []),
      ...(operation.errors?.includes('precondition_failed') === true ? [ifMatch] : []),
      requestId,
    ],
    ...(body !== undefined && {
      requestBody: {
        required: body.isOptional !== true,
        content: {
          [body.isForm === true ? 'application/x-www-form-urlencoded' : 'application/json']: {
            schema: { $ref: refTo(nameOfBody(jsonSchemaOf({ name: id, ...body }), id, bodySchemas)) },
            example: body.example,
          },
        },
      },
    }),
    responses: responsesOf(route, operation),
  }
}

/**
 * Adds the schema of a body to those that are known, under the name by which generated clients call its type: that of the first operation that
 * takes such a body.
 */
function nameOfBody(schema: Json, id: string, known: Record<string, Json>): string {
  const text = JSON.stringify(schema)
  const same = Object.entries(known).find(([, one]) => JSON.stringify(one) === text)
  const name = same?.[0] ?? id.charAt(0).toUpperCase() + id.slice(1)
  known[name] = schema
  return name
}

function parametersOf(where: 'path' | 'query', name: string, described: Operation['params']): Json[] {
  if (described === undefined) return []
  const { properties, required } = jsonSchemaOf({ name, ...described })
  return Object.entries(isJson(properties) ? properties : {}).map(([name, schema]) => {
    const { description, ...plain } = isJson(schema) ? schema : {}
    const isRequired = where === 'path' || (Array.isArray(required) && required.includes(name))
    return {
      name,
      in: where,
      required: isRequired,
      ...(description !== undefined && { description }),
      // `metadata[order_id]=A1`
      ...(plain['type'] === 'object' && { style: 'deepObject', explode: true }),
      schema: plain,
    }
  })
}

/** Each resource once, under its name. */
function resourceSchemas(routes: readonly DescribedRoute[]): Json {
  const resources = routes.flatMap(({ operation }): (DescribedResource | undefined)[] => [
    ...operation.answers.map(({ resource }) => resource),
    operation.refusalShows,
  ])
  return Object.fromEntries(
    resources
      .filter((resource) => resource !== undefined)
      .map((resource) => [resource.name, { ...jsonSchemaOf(resource), examples: [resource.example] }]),
  )
}

const errorCodeSchema: Json = {
  description: 'Why the service refused. A later version may have others.',
  type: 'string',
  enum: Object.keys(ERROR_STATUS),
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    code: { $ref: refTo('ErrorCode'), description: 'What went wrong. It never changes: branch on it.' },
    message: { type: 'string', description: 'What to do, for people. It may change; code does not.' },
    details: {
      type: 'array',
      description: 'Each fault of the request.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where it is, such as `customer.email`.' },
          message: { type: 'string', description: 'What is wrong there.' },
        },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['code', 'message'],
}

const requestId: Json = {
  name: 'x-request-id',
  in: 'header',
  required: false,
  description: 'A name of yours for this request, echoed and logged. One is made when it is absent.',
  schema: { type: 'string', maxLength: 64, pattern: String.raw`^[\w.:-]{1,64}$` },
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request is carried out once in 30 days, and answered the same however often it comes.',
  schema: { type: 'string', maxLength: 255, pattern: String.raw`^[\x21-\x7e]{1,255}$` },
}

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of what was read: it is changed only while it still has this one.',
  schema: { type: 'string' },
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

const headers: Json = {
  'x-request-id': text('The name of this request, in every log line about it.'),
  'Retry-After': {
    description: 'Seconds to wait before the same request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotent-Replayed': {
    description: 'There when an earlier answer was given again.',
    schema: { const: 'true' },
  },
  ETag: text('Another one after every change.'),
  'WWW-Authenticate': text('What kind of key is asked for.'),
}

export interface Issuing {
  /** Where the API is reached from outside. */
  baseUrl: string
  /** Who issues access tokens, where that is not the service. */
  oauthIssuer: string | undefined
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'agreements:read': 'Read agreements.',
  'agreements:write': 'Make, amend, suspend and cancel agreements.',
  'payments:read': 'Read the payments of agreements.',
  'payments:write': 'Make payments under agreements.',
}

/** How a caller says who it is, by the kind of key. */
const securitySchemes = (
  issuing: Issuing,
): Readonly<Record<Exclude<Operation['key'], 'none'>, Json>> => ({
  public: {
    type: 'apiKey',
    in: 'header',
    name: 'x-user-public-key',
    description: 'Shows the form and tokenises; may stand in a page.',
  },
  secret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-user-secret-key',
    description: "Everything a merchant's server does; never leaves it.",
  },
  oauth: oauthScheme(issuing),
  authentication: {
    type: 'http',
    scheme: 'bearer',
    description: "The token of a charge's `_3ds`, for the page that shows the bank's step.",
  },
  checkout: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of one checkout, for its page.',
  },
  metrics: {
    type: 'http',
    scheme: 'bearer',
    description: 'Set by the operator as SVC_METRICS_TOKEN.',
  },
})

/** Where another issuer hands out tokens its own metadata says (RFC 8414). */
function oauthScheme({ baseUrl, oauthIssuer }: Issuing): Json {
  const isOurs = oauthIssuer === undefined
  return {
    type: 'oauth2',
    description: isOurs
      ? 'An access token of 15 minutes, for agreements and their payments.'
      : `An access token of ${oauthIssuer}, for agreements and their payments. Its metadata names the token endpoint.`,
    flows: {
      clientCredentials: { tokenUrl: isOurs ? `${baseUrl}/oauth/token` : oauthIssuer, scopes: SCOPE_WORDS },
    },
  }
}
