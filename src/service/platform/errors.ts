import type { ErrorCode, ErrorDetail } from '../../contract/api/envelope.ts'

interface Extras {
  /** Where the request is wrong. */
  details?: ErrorDetail[]
  /** Seconds after which the same request is worth another try. */
  retryAfter?: number
  /** The resource as it stands after the failure: a declined charge is kept and shown. */
  resource?: unknown
  /** What `WWW-Authenticate` says, where that is not the kind of key: of 401, and of 403 to an access token. */
  challenge?: string
  /** What `Accept-Encoding` says, where the coding of the body was what was wrong (RFC 9110, section 12.5.3). */
  acceptEncoding?: string
  /** What lies behind it; it is logged, never answered. */
  cause?: unknown
}

/** Where a merchant has no gateway that a card could be charged through: the words say how to connect one. */
export const NO_GATEWAY =
  'This merchant has no gateway to charge cards with. Connect one on the dashboard, under Gateways, or ask the operator to.'

/** Ends a request with a stable code and words that tell the caller what to do (contract §2). */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly retryAfter: number | undefined
  readonly resource: unknown
  readonly challenge: string | undefined
  readonly acceptEncoding: string | undefined

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    super(message, { cause: extras.cause })
    this.name = 'ServiceError'
    this.code = code
    this.details = extras.details
    this.retryAfter = extras.retryAfter
    this.resource = extras.resource ?? null
    this.challenge = extras.challenge
    this.acceptEncoding = extras.acceptEncoding
  }
}

/** `not_found` of something that is looked up by its id: `notFound('charge')`. */
export function notFound(thing: string): ServiceError {
  return new ServiceError('not_found', `There is no ${thing} with this id.`)
}

/** `validation_error` of one field, named by its path. */
export function invalidField(path: string, message: string): ServiceError {
  return invalidRequest([{ path, message }])
}

/** `validation_error` of all fields that are wrong. */
export function invalidRequest(details: ErrorDetail[]): ServiceError {
  return new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details,
  })
}

/** A wrong setting, said in one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
