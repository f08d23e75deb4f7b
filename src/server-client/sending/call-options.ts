/** Options of every call. */
export interface ReadOptions {
  /** Ends the call, its tries and the waits between them. */
  signal?: AbortSignal | undefined
  /** A name of yours for the request (`x-request-id`), which the service logs. */
  requestId?: string | undefined
}

/** Options of a call that changes something. */
export interface CallOptions extends ReadOptions {
  /**
   * The same key with the same call is carried out once in 30 days: keep one with the order, and a process that starts anew may repeat
   * it. Without one each call gets a key of its own, which only the client's own tries share.
   */
  idempotencyKey?: string | undefined
}

/** Options of a change of an agreement. */
export interface ChangeOptions extends CallOptions {
  /** `etagOf(agreement)`: it is done only while the agreement is as it was read, else `precondition_failed`. */
  ifMatch?: string | undefined
}

const NAMES: Readonly<Record<keyof ChangeOptions, true>> = {
  signal: true,
  requestId: true,
  idempotencyKey: true,
  ifMatch: true,
}

/** Throws a `TypeError` for unknown options: a misspelt `idempotencyKey` would protect nothing. */
export function refuseUnknownOptions(given: unknown): void {
  const unknown =
    typeof given === 'object' && given !== null
      ? Object.keys(given).find((name) => !Object.hasOwn(NAMES, name))
      : `a ${typeof given}`
  if (unknown === undefined) return
  throw new TypeError(`The options of a call are ${Object.keys(NAMES).join(', ')}, not ${unknown}.`)
}
