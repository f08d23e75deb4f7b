import { ANSWERED_ERROR_CODES } from '../../contract/page/form-error-code.ts'
import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import * as v from 'valibot'
import { Envelope } from '../../contract/api/envelope.ts'

interface ServiceRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
}

/** An answer of the service, of any status. */
export interface Answer {
  kind: 'answer'
  status: number
  /** Null for a body that is not the service's envelope. */
  envelope: Envelope | null
  /** `retry-after` in ms; NaN without that header. */
  afterMs: number
  /** The service's time, in ms since 1970, to the second; NaN where it is not told. */
  at: number
}

/** A fault that the person did not cause. `afterMs`: when to try again, if the service says so. */
export interface Fault {
  kind: 'fault'
  code: FormErrorCode
  retryable: boolean
  afterMs?: number
}

/** Sends one request to the service. Never rejects. */
export async function askService(
  { url, timeoutMs, ...request }: ServiceRequest,
  send: typeof globalThis.fetch,
): Promise<Answer | Fault> {
  try {
    const response = await send(url, {
      ...request,
      signal: AbortSignal.timeout(timeoutMs),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    })
    return {
      kind: 'answer',
      status: response.status,
      envelope: envelopeIn(await response.text()),
      afterMs: Number(response.headers.get('retry-after') ?? NaN) * 1000,
      at: Date.parse(response.headers.get('date') ?? ''),
    }
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return fault(timedOut ? 'timeout' : 'network_error', true)
  }
}

/** The code of the service's error: one that came after this form was released is a fault of the service to it. */
export function codeOf(code: string): FormErrorCode {
  return ANSWERED_ERROR_CODES.find((known) => known === code) ?? 'system_error'
}

/** A fault by its code. */
export function fault(code: FormErrorCode, retryable: boolean): Fault {
  return { kind: 'fault', code, retryable }
}

function envelopeIn(body: string): Envelope | null {
  try {
    const { success, output } = v.safeParse(Envelope, JSON.parse(body))
    return success ? output : null
  } catch {
    return null
  }
}
