import { SvcError } from '../svc-error.ts'
import type { Runtime } from './runtime.ts'
import { jsonOf } from './read-answer.ts'
import { sendOnce } from './send-once.ts'

/** A client of the service's own issuer; or, where access tokens come from elsewhere, what gets one. */
export type OauthOptions = OauthClient | (() => Promise<string>)

interface OauthClient {
  clientId: string
  clientSecret: string
}

/** Calls `use` with an access token that is good for a while yet. Throws an `SvcError` where there is none to be had. */
export type WithAccessToken = <T>(use: (token: string) => Promise<T>, signal: AbortSignal) => Promise<T>

/** How long before its end a token is no more used, in ms: a request takes its time. */
const LEEWAY_MS = 60_000

/** How long a request for a token may take, in ms; calls that began at the same time share it. */
const TIMEOUT_MS = 30_000

interface Kept {
  token: string
  /** By the runtime's clock. */
  until: number
}

/** A token of the service's issuer is kept until shortly before it ends, and is got anew when it is refused. */
export function createAccessTokens(oauth: OauthOptions, tokenUrl: string, runtime: Runtime): WithAccessToken {
  if (typeof oauth === 'function') return async (use) => use(sendable(await tokenBy(oauth)))
  const request = tokenRequest(oauth, tokenUrl)
  let kept: Kept | null = null
  let asked: Promise<string> | null = null
  async function getToken(): Promise<string> {
    const begun = runtime.now()
    const { response, text } = await sendOnce(request, runtime, AbortSignal.timeout(TIMEOUT_MS))
    const { token: given, expiresIn } = readToken(response, text)
    const token = sendable(given)
    kept = { token, until: begun + expiresIn * 1000 - LEEWAY_MS }
    return token
  }
  async function current(signal: AbortSignal): Promise<string> {
    if (kept !== null && kept.until > runtime.now()) return kept.token
    asked ??= getToken().finally(() => {
      asked = null
    })
    return unlessAborted(asked, signal)
  }
  return async (use, signal) => {
    const known = kept
    try {
      return await use(await current(signal))
    } catch (error) {
      // The signing key may have been replaced, or the client revoked, since the token was issued.
      if (!(known !== null && error instanceof SvcError && error.code === 'unauthorized')) throw error
      if (kept === known) kept = null
      return use(await current(signal))
    }
  }
}

/** What the merchant's own function gets. */
async function tokenBy(getToken: () => Promise<string>): Promise<string> {
  try {
    return await getToken()
  } catch (cause) {
    const message = 'oauth() gave no access token.'
    throw new SvcError({ code: 'no_access_token', message, status: null, retryable: true, cause })
  }
}

/** The same token. Throws where no header can hold it: the fault of sending it would repeat it, and look like a network that fails. */
function sendable(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  const message =
    'The access token must be a text of visible ASCII characters, without spaces or line breaks.'
  throw new SvcError({ code: 'no_access_token', message, status: null, retryable: false })
}

/** Stops waiting when the signal is aborted; the request itself goes on, as other calls wait for it too. */
function unlessAborted<T>(waitedFor: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      const message = 'No access token was given in time.'
      reject(
        new SvcError({ code: 'no_answer', message, status: null, retryable: true, cause: signal.reason }),
      )
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    waitedFor.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** RFC 6749, sections 4.4.2 and 2.3.1. */
function tokenRequest({ clientId, clientSecret }: OauthClient, url: string) {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return {
    method: 'POST',
    url,
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
  }
}

interface TokenAnswer {
  access_token: string
  expires_in: number
}

function isTokenAnswer(body: unknown): body is TokenAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    'access_token' in body &&
    typeof body.access_token === 'string' &&
    'expires_in' in body &&
    typeof body.expires_in === 'number'
  )
}

/** The token; throws an `SvcError` with the code of RFC 6749 §5.2, such as `invalid_client`. */
function readToken(response: Response, text: string): { token: string; expiresIn: number } {
  const body = jsonOf(text)
  if (response.ok && isTokenAnswer(body)) return { token: body.access_token, expiresIn: body.expires_in }
  const code = faultOf(body) ?? 'unreadable_answer'
  throw new SvcError({
    code,
    message: `No access token was given (HTTP ${String(response.status)}): ${code}. Check clientId and clientSecret.`,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryable: response.status === 429 || response.status >= 500,
  })
}

function faultOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  if (typeof body.error === 'string') return body.error
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}
