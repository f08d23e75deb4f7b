import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { SvcClient } from './svc-client.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ')
/** Enough to show that the client stops, and little enough for a test that fails. */
const MAX_SENT = 200

let close: () => unknown = () => undefined
afterEach(() => close())

/** A client of a server that answers so. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  close = () => server.close().closeAllConnections()
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
  const oauth = { clientId: 'client-1', clientSecret: 'a-secret' }
  const baseUrl = `http://127.0.0.1:${String(address.port)}`
  return new SvcClient({ baseUrl, secretKey: 'sk_sandbox_a', oauth, retries: { tryTimeoutMs: 20_000 } })
}

/** Megabytes one after the other, as fast as they are taken. `done` is called where all were. */
async function flood(into: NodeJS.WritableStream, done: () => void) {
  for (let sent = 0; sent < MAX_SENT; sent += 1) if (!into.write(MEGABYTE)) await once(into, 'drain')
  into.end('{}', done)
}

describe('an answer that is larger than any of the service', () => {
  it.each([
    ['is left', false],
    ['is left, also where little is sent for much', true],
  ])('%s, and the call ends', async (_name, isCompressed) => {
    const counts = { requests: 0, takenWhole: 0 }
    const client = await clientOf((_request, response) => {
      counts.requests += 1
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      })
      const gzip = createGzip()
      if (isCompressed) gzip.pipe(response)
      void flood(isCompressed ? gzip : response, () => {
        if (!isCompressed) counts.takenWhole += 1
      })
    })
    const unreadable = { code: 'unreadable_answer', status: 200, retryable: false }
    await expect(client.charges.retrieve('a1')).rejects.toMatchObject(unreadable)
    await expect(client.agreements.retrieve('a1')).rejects.toMatchObject(unreadable)
    await expect(client.charges.retrieve('a1')).rejects.toThrow('more than 16 MB')
    expect(counts).toEqual({ requests: 3, takenWhole: 0 })
  })
})

it('a large answer of the service, in pieces that cut a letter, is read', async () => {
  const name = 'é'.repeat(1_000_000)
  const bytes = Buffer.from(
    JSON.stringify({ status: 200, error: null, resource: { type: 'charge', data: { name } } }),
  )
  const client = await clientOf((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(bytes.subarray(0, 500_001))
    setTimeout(() => response.end(bytes.subarray(500_001)), 20)
  })
  expect(await client.charges.retrieve('a1')).toEqual({ name })
})
