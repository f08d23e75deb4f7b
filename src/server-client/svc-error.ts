import type { Charge, ErrorCode } from './operations.ts'

/** Failures that no answer of the service describes. */
type OwnCode =
  /** The service could not be reached, or did not answer in time. */
  | 'no_answer'
  /** Something answered that is not the service, such as a proxy. */
  | 'unreadable_answer'
  /** `oauth()` has failed. */
  | 'no_access_token'

/** One fault in a request: its path, such as `customer.email`, and what is wrong there. */
export interface ErrorDetail {
  path: string
  message: string
}

interface Facts {
  code: string
  message: string
  /** The HTTP status; null where nothing answered. */
  status: number | null
  requestId?: string | null
  retryable: boolean
  /** Seconds. */
  retryAfter?: number | null
  details?: readonly ErrorDetail[]
  charge?: Charge | null
  idempotencyKey?: string | null
  cause?: unknown
}

/** A call that did not do what was asked. Keys and the shopper's details are no part of how it is printed. */
export class SvcError extends Error {
  /** Stable: branch on it. A later version of the service may answer others. */
  readonly code: ErrorCode | OwnCode | (string & {})
  /** The HTTP status; null where nothing answered. */
  readonly status: number | null
  /** `x-request-id`: what to name when you ask the operator. */
  readonly requestId: string | null
  /** Whether the same call, under the same `idempotencyKey`, may still succeed. The client has tried several times. */
  readonly retryable: boolean
  /** Seconds to wait before that, where the service says so. */
  readonly retryAfter: number | null
  /** Each fault of the request. */
  readonly details: readonly ErrorDetail[]
  readonly #facts: Facts

  constructor(facts: Facts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.name = 'SvcError'
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId ?? null
    this.retryable = facts.retryable
    this.retryAfter = facts.retryAfter ?? null
    this.details = facts.details ?? []
    this.#facts = facts
  }

  /** The charge as it stands after a refused movement, such as one that was declined; null for any other error. */
  get charge(): Charge | null {
    return this.#facts.charge ?? null
  }

  /** The key that the call was sent under: the same call can be made again with it. Null for a call that only reads. */
  get idempotencyKey(): string | null {
    return this.#facts.idempotencyKey ?? null
  }

  /**
   * The same failure, of a call that was sent under this key.
   * @internal
   */
  under(idempotencyKey: string | null): SvcError {
    return new SvcError({ ...this.#facts, idempotencyKey })
  }
}
