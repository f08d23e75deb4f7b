import * as v from 'valibot'
import { Envelope } from '../../contract/api/envelope.ts'

interface Question {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
}

/** What the service said. */
export interface Answer {
  kind: 'answer'
  status: number
  /** Null for a body that is none of the service's. */
  envelope: Envelope | null
  /** When the service asks to be asked again, in ms; NaN where it doesn't say. */
  afterMs: number
}

/** A fault that is nobody's typing. One that may pass can say after how many milliseconds to try again. */
export interface Fault {
  kind: 'fault'
  code: string
  retryable: boolean
  afterMs?: number
}

/** Asks the service once; never rejects. */
export async function askService(
  { url, timeoutMs, ...question }: Question,
  send: typeof fetch,
): Promise<Answer | Fault> {
  try {
    const response = await send(url, {
      ...question,
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
    }
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return fault(timedOut ? 'timeout' : 'network_error', true)
  }
}

/** A fault by its code. */
export function fault(code: string, retryable: boolean): Fault {
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
