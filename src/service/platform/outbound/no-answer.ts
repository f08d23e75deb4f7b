/** A request to somebody else's server that ended without the answer that was wanted. */
export class NoAnswer extends Error {
  /** One of ours (`TIMED_OUT`, `STOPPED`, `UPGRADED` …), or the system's (`ECONNREFUSED`, `CERT_HAS_EXPIRED` …). */
  readonly code: string
  /** False when the connection was never made, so that the server has received nothing. */
  readonly wasSent: boolean

  constructor(code: string, wasSent: boolean) {
    super(`no answer: ${code}`)
    this.name = 'NoAnswer'
    this.code = code
    this.wasSent = wasSent
  }
}

/** The stable code of whatever ended a request. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'NO_CONNECTION'
}
