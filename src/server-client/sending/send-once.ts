import { SvcError } from '../svc-error.ts'
import type { Machine } from './machine.ts'

/** A request as it is sent. */
export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** Sends a request and waits for all of its answer. Throws an `SvcError` `no_answer`, which is worth another try. */
export async function sendOnce(
  { url, method, headers, body }: HttpRequest,
  { fetch }: Pick<Machine, 'fetch'>,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  try {
    const init = { method, headers, signal, redirect: 'manual' } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return { response, text: await response.text() }
  } catch (cause) {
    const { origin } = new URL(url)
    const why = signal.aborted ? 'did not answer in time' : 'could not be reached, or closed the connection'
    throw new SvcError({
      code: 'no_answer',
      message: `${origin} ${why}.`,
      status: null,
      retryable: true,
      cause,
    })
  }
}
