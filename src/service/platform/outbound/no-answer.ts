/** How far a request came: its server's name was looked up, a connection begun, TLS agreed on, an answer waited for. */
export type Step = 'lookup' | 'connection' | 'handshake' | 'answer'

/** A request to somebody else's server that ended without the answer that was wanted. */
export class NoAnswer extends Error {
  /** One of ours (`TIMED_OUT`, `STOPPED`, `UPGRADED` …), or the system's (`ECONNREFUSED`, `CERT_HAS_EXPIRED` …). */
  readonly code: string
  /** False when the connection was never made, so that the server has received nothing. */
  readonly wasSent: boolean
  /** At what step it ended, where that is known. */
  readonly step: Step | undefined

  /** `server`: of the request, as its URL names it; with its port, without path, name and password. */
  constructor(code: string, wasSent: boolean, at?: { server: string; step: Step }) {
    super(at === undefined ? `no answer: ${code}` : `no answer from ${at.server}: ${code} (${at.step})`)
    this.name = 'NoAnswer'
    this.code = code
    this.wasSent = wasSent
    this.step = at?.step
  }
}

/** The stable code of whatever ended a request. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'NO_CONNECTION'
}

/** Host and port of a URL; empty where it is none. */
export function serverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
