import { SvcError } from '../svc-error.ts'
import type { Machine } from './machine.ts'

/** A request as it is sent. */
export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** Of one try. */
export interface Sending {
  signal: AbortSignal
  /** Of all tries of the call; an error tells it, so that the call can be made again. Null where it only reads. */
  idempotencyKey: string | null
}

/** Sends a request and waits for all of its answer. Throws an `SvcError` `no_answer`, which is worth another try. */
export async function sendOnce(
  { url, method, headers, body }: HttpRequest,
  { fetch }: Pick<Machine, 'fetch'>,
  { signal, idempotencyKey }: Sending,
): Promise<{ response: Response; text: string }> {
  try {
    const init = { method, headers, signal, redirect: 'manual' } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return { response, text: await response.text() }
  } catch (cause) {
    const { origin } = new URL(url)
    const why = signal.aborted ? 'did not answer in time' : 'could not be reached, or closed the connection'
    const known =
      idempotencyKey === null ? '' : ' It may have been carried out: repeat it under the same idempotencyKey.'
    throw new SvcError({
      code: 'no_answer',
      message: `${origin} ${why}.${known}`,
      status: null,
      retryable: true,
      idempotencyKey,
      cause,
    })
  }
}
