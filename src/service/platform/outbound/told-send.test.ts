import { expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import { createHttpClient } from './http-client.ts'
import { NoAnswer } from './no-answer.ts'
import { toldSend } from './told-send.ts'

const at = (server: string) => ({ url: `https://user:pass@${server}/v1?key=secret`, headers: {}, body: '{}' })

function listening(fault: () => Error) {
  let now = 0
  const told: object[] = []
  const parts = {
    tell: (facts: object) => told.push(facts),
    whose: 'a gateway',
    clock: { elapsedMs: () => now },
  }
  const send = toldSend(parts, () => Promise.reject(fault()))
  return {
    told,
    pass: (ms: number) => (now += ms),
    ask: (server: string) => send(at(server)).catch(() => undefined),
  }
}

it('tells of a server that gives no answer once a minute, and how often that was', async () => {
  const fault = () =>
    new NoAnswer('ECONNREFUSED', false, { server: 'a.example', step: 'connection', proxy: null })
  const { told, pass, ask } = listening(fault)
  for (let times = 0; times < 240; times += 1) {
    await ask('a.example')
    pass(250)
  }
  const facts = { server: 'a.example', code: 'ECONNREFUSED', step: 'connection' }
  expect(told).toEqual([{ ...facts, untold: 0 }])
  await ask('a.example')
  await ask('b.example:8443')
  expect(told.slice(1)).toEqual([
    { ...facts, untold: 239 },
    { ...facts, server: 'b.example:8443', untold: 0 },
  ])
})

it('tells of a proxy that lets nothing through once a minute, whatever the servers are', async () => {
  const at = { server: 'a.example', step: 'proxy', proxy: 'out.example:3128' } as const
  const { told, pass, ask } = listening(() => new NoAnswer('PROXY_403', false, at))
  for (const server of ['a.example', 'b.example', 'c.example']) await ask(server)
  const fault = 'no way to a.example through the proxy out.example:3128: it refuses to (PROXY_403)'
  const facts = { code: 'PROXY_403', step: 'proxy', proxy: 'out.example:3128', fault }
  expect(told).toEqual([{ ...facts, server: 'a.example', untold: 0 }])
  pass(60_000)
  await ask('c.example')
  expect(told.slice(1)).toEqual([{ ...facts, server: 'c.example', untold: 2 }])
})

it('tells nothing where the caller has stopped waiting', async () => {
  const { told, ask } = listening(() => new NoAnswer('STOPPED', true))
  await ask('a.example')
  expect(told).toEqual([])
})

it('remembers a thousand servers at most', async () => {
  const { told, pass, ask } = listening(() => new NoAnswer('TIMED_OUT', true))
  for (let number = 0; number < 1100; number += 1) await ask(`${number}.example`)
  expect(told).toHaveLength(1000)
  pass(60_000)
  await ask('one-more.example')
  expect(told).toHaveLength(1001)
})

it.each([
  ['the name of a server is unknown', 'http://nowhere.invalid', /: (?:ENOTFOUND|EAI_AGAIN) \(lookup\)$/],
  ['nobody listens at an address', 'http://[::1]:1', /: ECONNREFUSED \(connection\)$/],
  ['nobody listens at a name', 'http://localhost:1', /: ECONNREFUSED \(connection\)$/],
  ['nobody listens', 'http://127.0.0.1:1', /: ECONNREFUSED \(connection\)$/],
])('an answer that never comes says how far its request came: %s', async (_, url, words) => {
  const client = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, wants: 'status', idleMs: 0 })
  const asked = client({ url: `${url}/x`, headers: {}, body: '' })
  await expect(asked).rejects.toThrow(words)
})

it('a gateway that cannot be reached is in the log with its cause, and without its key', async () => {
  const service = await createTestService()
  const account = { api_key: 'key-of-acme', merchant_account: 'Acme', base_url: 'http://127.0.0.1:1' }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials: account }
  await service.merchants.addGateway(service.merchant.merchant.id, gateway)
  const { sell } = chargeCalls(service)
  for (const amount of ['10.00', '11.00'])
    await sell({ amount, currency: 'AUD', token: await service.tokenise() })
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('the server of a gateway'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"server":"127.0.0.1:1","code":"ECONNREFUSED","step":"connection"')
  expect(lines[0]).not.toContain('key-of-acme')
  await service.close()
})
