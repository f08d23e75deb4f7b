import * as v from 'valibot'
import { CardServiceFault } from './card-service-fault.ts'

/** Time to wait for an answer. What changes something gets longer, as the service may ask a bank. */
const READ_TIMEOUT_MS = 5_000
const CHANGE_TIMEOUT_MS = 30_000

/** The shape of every answer of the card service. */
const Envelope = v.object({
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  resource: v.unknown(),
})

/** One request to the card service; `path` begins with a slash. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: object
  idempotencyKey?: string
}

/** What the card service answered: its resource, not parsed yet, and its version where it has one. */
interface Answer {
  resource: unknown
  etag: string | null
}

/** Asks the card service. Throws a `CardServiceFault` when it refuses, or when no answer comes. */
export async function askService(serviceUrl: string, call: Call): Promise<Answer> {
  const { method, path, body, idempotencyKey } = call
  const headers = new Headers(call.headers)
  if (body) headers.set('content-type', 'application/json')
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  const response = await send(serviceUrl + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { error, resource } = readAnswer(Envelope, await jsonOf(response))
  if (error) throw new CardServiceFault(error.code, error.message)
  return { resource, etag: response.headers.get('etag') }
}

/** Sends a request, with an end. Throws a `CardServiceFault` when no answer comes. */
export async function send(url: string, request: RequestInit): Promise<Response> {
  const timeout = request.method === 'GET' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(timeout) })
  } catch (error) {
    throw unanswered(error)
  }
}

/** The JSON of an answer; undefined if it is not JSON. */
export const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

/** Parses what the card service answered. Throws a `CardServiceFault` if it is not as expected. */
export function readAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer)
  if (parsed.success) return parsed.output
  throw new CardServiceFault('outcome_unknown', 'The answer of the card service cannot be read.')
}

/** A refused connection means that nothing was received. After any other error the request may have been carried out. */
function unanswered(error: unknown): CardServiceFault {
  const cause = error instanceof Error ? error.cause : undefined
  const refused = v.is(v.object({ code: v.literal('ECONNREFUSED') }), cause)
  return refused
    ? new CardServiceFault('service_unavailable', 'The card service cannot be reached.')
    : new CardServiceFault('outcome_unknown', 'The card service did not answer in time.')
}
