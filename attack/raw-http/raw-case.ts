/** Bytes on a connection, and what must become of them. */
export interface RawCase {
  name: string
  bytes: Buffer
  /**
   * `refused`: one answer from 400 on, in the envelope, or none, and the connection ends. `answered`: as many answers in
   * the envelope as `requests`, none of them the service's own fault. `waits`: none, since more was announced than came.
   */
  expect: 'refused' | 'answered' | 'waits'
  requests: number
}

type Expected = Partial<Pick<RawCase, 'expect' | 'requests'>>

export const raw = (
  name: string,
  text: string,
  { expect = 'refused', requests = 1 }: Expected = {},
): RawCase => ({
  name,
  // latin1 makes one byte of each character, so that a case can contain any byte.
  bytes: Buffer.from(text, 'latin1'),
  expect,
  requests,
})

/** A route that asks for no key: elsewhere nothing of a body is looked at without one. */
const POST = `POST /sandbox/bank/agreements/${'a'.repeat(24)}/answers HTTP/1.1\r\n`
export const HOST = 'host: service\r\n'
export const SMUGGLED = 'GET /v1/smuggled HTTP/1.1\r\nhost: service\r\n\r\n'
export const post = (headers: string, body: string) =>
  `${POST}${HOST}content-type: application/json\r\n${headers}\r\n${body}`
export const get = (headers: string, target = '/v1/charges') =>
  `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`
export const taken = { expect: 'answered' } as const
export const chunked = 'transfer-encoding: chunked\r\n'
