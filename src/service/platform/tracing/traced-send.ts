import type { SendRequest } from '../outbound/http-client.ts'
import { codeOf } from '../outbound/no-answer.ts'
import type { Tracer } from './tracer.ts'

/** The same, with a span for each request, whose server gets the `traceparent` and what other systems added to it. Only the host of an address is kept. */
export function tracedSend(tracer: Tracer | null, send: SendRequest): SendRequest {
  if (tracer === null) return send
  return async (outbound) => {
    const method = outbound.method ?? 'POST'
    const span = tracer.begin('client', method)
    span.add({ 'http.request.method': method, 'server.address': hostOf(outbound.url) })
    const headers = { ...outbound.headers, ...span.headers() }
    try {
      const answer = await send({ ...outbound, headers })
      span.add({ 'http.response.status_code': answer.status })
      span.end({ hasFailed: answer.status >= 400 })
      return answer
    } catch (error) {
      span.add({ 'error.type': codeOf(error) })
      span.end({ hasFailed: true })
      throw error
    }
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
