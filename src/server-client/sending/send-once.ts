import { SvcError } from '../svc-error.ts'
import type { Runtime } from './runtime.ts'

/** A request as it is sent. */
export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** A list of 100 is the longest answer of the service. More than this, unpacked, is of something else, and may have no end. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Sends a request and waits for all of its answer. Throws an `SvcError`: `no_answer`, which is worth another try, or
 * `unreadable_answer` for one that is larger than any of the service.
 */
export async function sendOnce(
  request: HttpRequest,
  runtime: Pick<Runtime, 'fetch'>,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const { response, text } = await exchange(request, runtime, signal).catch((cause: unknown) => {
    throw noAnswer(request.url, signal, cause)
  })
  if (text === null) throw tooLarge(response)
  return { response, text }
}

async function exchange(
  { url, method, headers, body }: HttpRequest,
  { fetch }: Pick<Runtime, 'fetch'>,
  signal: AbortSignal,
) {
  const init = { method, headers, signal, redirect: 'manual' } as const
  const response = await fetch(url, body === undefined ? init : { ...init, body })
  return { response, text: await textOf(response) }
}

/** The text of a body; null for one that is too large, of which the rest is not read. */
async function textOf({ body }: Response): Promise<string | null> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const piece = await reader?.read()
    if (piece?.value === undefined) return text + decoder.decode()
    bytes += piece.value.length
    if (bytes > MAX_BYTES) {
      await reader?.cancel()
      return null
    }
    text += decoder.decode(piece.value, { stream: true })
  }
}

function noAnswer(url: string, signal: AbortSignal, cause: unknown): SvcError {
  const { origin } = new URL(url)
  const why = signal.aborted ? 'did not answer in time' : 'could not be reached, or closed the connection'
  return new SvcError({
    code: 'no_answer',
    message: `${origin} ${why}.`,
    status: null,
    retryable: true,
    cause,
  })
}

function tooLarge({ status, url }: Response): SvcError {
  return new SvcError({
    code: 'unreadable_answer',
    message: `${url.replace(/\?.*/, '')} sent more than 16 MB, as the service never does. Check baseUrl, and what stands in between.`,
    status,
    retryable: false,
  })
}
