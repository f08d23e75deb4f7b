import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { refTo } from './json-schema.ts'
import type { Json } from './json-schema.ts'
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

function contentOf(shapes: readonly Shape[]): Json {
  const [first] = shapes
  const schemas = shapes.map(({ schema }) => schema)
  return {
    [first?.media ?? 'application/json']: {
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
      ...(first?.example !== undefined && { example: first.example }),
    },
  }
}

function response(
  status: number,
  shapes: readonly Shape[],
  { isRepeatable, isTagged, key, errorMedia }: Operation,
): Json {
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
      ...contentOf(shapes),
      ...(!isSuccess && errorMedia !== undefined && { [errorMedia]: { schema: {} } }),
    },
  }
}

/** What each `error.code` means and what a caller does about it: the document's list, and its examples. */
export const ERROR_WORDS: Readonly<Record<ErrorCode, string>> = {
  validation_error: 'The request is not valid. Correct what details names.',
  token_not_found: 'The token is unknown, used or older than three hours. Collect the card again.',
  unauthorized: 'The key is missing or wrong. Send the one that the operation names, of this environment.',
  token_expired: 'The token of the checkout has expired. Make a new checkout.',
  forbidden: 'This caller may not do that. Use the key or token that the operation names.',
  password_required: 'On the dashboard alone: give the password once more, then repeat the request.',
  feature_not_enabled: 'The merchant does not have this feature. Ask the operator to turn it on.',
  insufficient_scope: 'The access token lacks the scope that the message names. Ask for one that has it.',
  not_found: 'There is nothing with this id, or it belongs to another merchant. Check the id and the key.',
  method_not_allowed: 'The address does not take this method. Use one that the header Allow names.',
  request_in_progress: 'Another request is at work on the same thing. Send it again after Retry-After.',
  amendment_pending: 'The debtor has not answered the amendment before. Wait for its answer.',
  precondition_failed: 'It has changed since the version in If-Match. Read it again, then decide.',
  body_too_large: 'A request body may have 64 KiB at most, and less where little is needed. Send less.',
  unsupported_media_type: 'Send JSON with the header content-type: application/json.',
  idempotency_key_reused:
    'The Idempotency-Key belongs to another request. Read what became of that one before you choose another key.',
  unfulfilled_condition: 'What it is about is in no state for this. Read it, then decide.',
  amount_exceeds_authorised: 'The amount is more than what is held. Capture that, or less.',
  amount_exceeds_captured:
    'The amount is more than what is left of the captured amount. Refund that, or less.',
  authorisation_expired: 'The hold is over. Authorise anew.',
  checkout_expired: 'The 16 minutes of the checkout are over and nothing was taken. Make a new one.',
  outside_terms:
    'The terms of the agreement do not allow it. Keep to the term that the message names, or amend it.',
  debtor_not_found: 'There is no such PayID or account. Ask the payer for it again.',
  gateway_not_found:
    'The merchant has no gateway to charge cards with, or that of the token was removed. Connect one, then collect the card again.',
  template_not_found:
    'There is no such template, or it is of another type or of a newer version than the checkout. Check its id.',
  unknown_workflow_version: 'There is no such version. Use one that the message names.',
  transaction_declined: 'The issuer declined. Ask for another card.',
  insufficient_funds: 'The card lacks the funds. Ask for another card.',
  credit_card_invalid_or_expired: 'The card is invalid or has expired. Ask for another card.',
  fraud_warning: 'The issuer suspects fraud. Do not try this card again.',
  authentication_required: 'The bank wants to ask the card holder, and was not let. Make a new charge that may ask.',
  authentication_failed: "The card holder's bank could not confirm that it is them. Ask for another card.",
  not_authenticated: 'The card holder did not finish what their bank asked. Ask for the card again.',
  rate_limited: 'Too many requests. Send it again after Retry-After.',
  system_error: 'Something went wrong on our side. Try again; if it stays, tell us the x-request-id.',
  gateway_unavailable:
    'The gateway could not be reached, refused the account, or never received it. Nothing was moved. With Retry-After, send the same request again: a token is still good. Without, the token is used up: make a new charge, with a new token and a new Idempotency-Key.',
  network_unavailable:
    'The payment network could not be reached. Nothing was done: try again after Retry-After.',
  outcome_unknown:
    'It may have been done, and no answer came. With Retry-After, send it again under its Idempotency-Key: never start anew. Without, read what is there; if it was not done, send it under a new key.',
  service_unavailable:
    'The service is too busy just now, or in maintenance. Nothing was done: try again after Retry-After.',
}

export function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_STATUS
}

/** Codes by the status that they are answered with, in the order of the statuses. */
export function byStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const sorted = [...new Set(codes)].sort((one, other) => ERROR_STATUS[one] - ERROR_STATUS[other])
  const groups = new Map<number, ErrorCode[]>()
  for (const code of sorted) {
    const status = ERROR_STATUS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

/** What each status of a refusal says, in few words. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Key missing, wrong or expired',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not possible here',
  409: 'At work just now',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Declined or not possible now',
  429: 'Too many requests',
  500: 'A fault on our side',
  503: 'Unavailable, or the outcome is not known yet',
}

import recorded from './recorded-answers.json' with { type: 'json' }

/** What the running service has answered to the example of an operation; ids, times and secrets are replaced. */
export interface Recorded {
  status: number
  body: unknown
}

/** By the operation's id. `npm run docs:examples` records them again. */
export const RECORDED: Readonly<Record<string, Recorded>> = recorded
