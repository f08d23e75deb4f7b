/**
 * How far a request came: its server's name was looked up, the proxy asked for a way to it, a connection begun, TLS agreed on, an
 * answer waited for.
 */
export type Step = 'lookup' | 'proxy' | 'connection' | 'handshake' | 'answer'

/** Where a request ended. Servers and proxies are named by host and port, without path, name and password. */
interface Place {
  server: string
  step: Step
  /** Null where none stands between. */
  proxy: string | null
}

/** A request to somebody else's server that ended without the answer that was wanted. */
export class NoAnswer extends Error {
  /** One of ours (`TIMED_OUT`, `STOPPED`, `PROXY_407` …), or the system's (`ECONNREFUSED`, `CERT_HAS_EXPIRED` …). */
  readonly code: string
  /** False only if no byte of the request can have reached the server. */
  readonly wasSent: boolean
  /** At what step it ended, where that is known. */
  readonly step: Step | undefined
  /** The proxy that let nothing through; null where it ended elsewhere. */
  readonly proxy: string | null

  constructor(code: string, wasSent: boolean, at?: Place) {
    super(wordsOf(code, at))
    this.name = 'NoAnswer'
    this.code = code
    this.wasSent = wasSent
    this.step = at?.step
    this.proxy = at?.step === 'proxy' ? at.proxy : null
  }
}

function wordsOf(code: string, at: Place | undefined): string {
  if (at === undefined) return `no answer: ${code}`
  if (at.step !== 'proxy' || at.proxy === null) return `no answer from ${at.server}: ${code} (${at.step})`
  return `no way to ${at.server} through the proxy ${at.proxy}: ${proxyFaultOf(code)} (${code})`
}

/** What begins the code of whatever went wrong between the service and its proxy. */
const OF_PROXY = 'PROXY_'

export function proxyCode(code: string): string {
  return code.startsWith(OF_PROXY) || code === 'STOPPED' ? code : OF_PROXY + code
}

/** Whether the service's own proxy is at fault, and not the server. */
export function isProxyCode(code: string): boolean {
  return code.startsWith(OF_PROXY)
}

function proxyFaultOf(code: string): string {
  if (code === 'PROXY_407') return 'it does not take the user and password of the setting'
  if (/^PROXY_5\d\d$/.test(code)) return 'it cannot reach the server'
  if (/^PROXY_\d{3}$/.test(code)) return 'it refuses to'
  if (code === 'PROXY_TIMED_OUT') return 'it does not answer in time'
  if (code === 'PROXY_CLOSED') return 'it closed the connection'
  return /^PROXY_(?:NOT_HTTP|CUT_OFF|HEADERS_TOO_LONG|UNASKED_ANSWER|UPGRADED)$/.test(code)
    ? 'it does not speak HTTP as it should'
    : 'it cannot be reached'
}

/** The stable code of whatever ended a request. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'NO_CONNECTION'
}

/** The same of what ended a connection: undici has one code, or none, for several cases that differ here. `isAnswered`: the answer had begun. */
export function lostCodeOf(error: unknown, isAnswered: boolean): string {
  const code = codeOf(error)
  if (error instanceof Error && error.name === 'HTTPParserError') return 'NOT_HTTP'
  // What its parser takes for impossible, such as a status below 100.
  if (code === 'ERR_ASSERTION') return 'NOT_HTTP'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'HEADERS_TOO_LONG'
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'CUT_OFF'
  if (code !== 'UND_ERR_SOCKET' || !(error instanceof Error)) return code
  if (error.message === 'bad upgrade') return 'UPGRADED'
  if (error.message === 'bad response') return 'UNASKED_ANSWER'
  return isAnswered ? 'CUT_OFF' : 'CLOSED'
}

/** Host and port of a URL; empty if the text is no URL. */
export function serverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
