import { describe, expect, it } from 'vitest'
import { tokeniseOnce } from './tokenise.ts'

const endpoint = {
  url: 'https://api.example/v1/payment_sources/tokens',
  credentials: { 'x-user-public-key': 'pk_1' },
}
const request = { body: '{"card_number":"5111111111111118"}', key: 'key-1', timeoutMs: 8000 }
const token = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a11'

const answering = (status: number, body: unknown) => () =>
  Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }))
const envelope = (status: number, error: object | null, resource: object) => ({ status, error, resource })
const refusing = (status: number, error: object) =>
  answering(status, envelope(status, error, { type: 'token', data: null }))

describe('to tokenise', () => {
  it('sends the card once, with the public key, and answers with the token', async () => {
    const requests: [unknown, RequestInit | undefined][] = []
    const outcome = await tokeniseOnce(request, endpoint, (url, init) => {
      requests.push([url, init])
      return answering(201, envelope(201, null, { type: 'token', data: token }))()
    })
    expect(outcome).toEqual({ kind: 'token', token })
    expect(requests).toHaveLength(1)
    const [url, init] = requests[0] ?? []
    expect(url).toBe(endpoint.url)
    expect(init).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-user-public-key': 'pk_1',
        'idempotency-key': 'key-1',
      },
      credentials: 'omit',
      redirect: 'error',
    })
    expect(init?.body).toBe(request.body)
    expect(init?.signal).toBeInstanceOf(AbortSignal)
  })

  it.each([400, 422])('%i is the card refused, with the details', async (status) => {
    const details = [{ path: 'card_number', message: 'card_number is not valid' }]
    const send = refusing(status, { code: 'validation_error', message: 'no', details })
    expect(await tokeniseOnce(request, endpoint, send)).toEqual({
      kind: 'refused',
      code: 'validation_error',
      details,
    })
  })

  it.each([
    [401, 'unauthorized', 'unauthorized', false],
    [403, 'forbidden', 'unauthorized', false],
    [404, 'not_found', 'not_found', false],
    [422, 'gateway_not_found', 'gateway_not_found', false],
    [409, 'request_in_progress', 'request_in_progress', true],
    [500, 'system_error', 'system_error', true],
    [503, 'service_unavailable', 'service_unavailable', true],
  ])('%i %s is the fault %s, retryable %j', async (status, code, told, retryable) => {
    const send = refusing(status, { code, message: 'no' })
    expect(await tokeniseOnce(request, endpoint, send)).toEqual({ kind: 'fault', code: told, retryable })
  })

  it.each([
    ['3', 3000],
    [undefined, NaN],
  ])('429 is too many tries; Retry-After %s says when another may do', async (after, afterMs) => {
    const headers = after === undefined ? {} : { 'retry-after': after }
    const send = () => Promise.resolve(new Response('', { status: 429, headers }))
    const fault = { kind: 'fault', code: 'rate_limited', retryable: true, afterMs }
    expect(await tokeniseOnce(request, endpoint, send)).toEqual(fault)
  })

  it.each([
    ['a page of somebody else', answering(200, '<html>')],
    ['a token that is none', answering(201, envelope(201, null, { type: 'token', data: 'x' }))],
    ['a gateway before the service', answering(502, 'Bad Gateway')],
  ])('%s is a fault that may pass', async (_what, send) => {
    expect(await tokeniseOnce(request, endpoint, send)).toEqual({
      kind: 'fault',
      code: 'system_error',
      retryable: true,
    })
  })

  it.each([
    ['network_error', new TypeError('Failed to fetch')],
    ['timeout', new DOMException('signal timed out', 'TimeoutError')],
  ])('no answer is %s', async (code, error) => {
    expect(await tokeniseOnce(request, endpoint, () => Promise.reject(error))).toEqual({
      kind: 'fault',
      code,
      retryable: true,
    })
  })
})
