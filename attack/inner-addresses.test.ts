import { randomBytes } from 'node:crypto'
import { promises } from 'node:dns'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { countAttack } from './counted.ts'

/** Answers names as an attacker's name server would, and knows no others. */
function addressesOf(name: string, family: number): Promise<string[]> {
  const known = innerNames[name]
  return known?.family === family ? Promise.resolve([known.address]) : Promise.reject(new Error('ENOTFOUND'))
}

let listeners: Server[]
let port: number
let hits = 0
beforeAll(async () => {
  vi.spyOn(promises.Resolver.prototype, 'resolve4').mockImplementation((name) => addressesOf(name, 4))
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockImplementation((name) => addressesOf(name, 6))
  listeners = ['0.0.0.0', '::1'].map(() =>
    createServer((socket) => {
      hits += 1
      socket.destroy()
    }),
  )
  const [first, second] = listeners
  port = await listen(first, '0.0.0.0', 0)
  await listen(second, '::1', port)
})
afterAll(() => {
  for (const server of listeners) server.close()
  vi.restoreAllMocks()
})

function listen(server: Server | undefined, host: string, wanted: number): Promise<number> {
  return new Promise((done, fail) => {
    server?.once('error', fail)
    server?.listen(wanted, host, () => done(portOf(server.address())))
  })
}

function portOf(address: AddressInfo | string | null): number {
  return v.parse(v.object({ port: v.number() }), address).port
}

const Made = v.object({ _id: v.string() })
const Deliveries = v.array(v.object({ attempts: v.number(), last_fault: v.nullable(v.string()) }))

/** How many webhooks are tried at once; a merchant may have more than that. */
const AT_ONCE = 12

/** Makes webhooks for a new merchant; the outcome of one delivery to each. */
async function tell(service: TestService, urls: readonly string[]): Promise<string[]> {
  const owner = await service.makeMerchant()
  const headers = { 'x-user-secret-key': owner.secretKey }
  const answers = await Promise.all(
    urls.map((url) => service.call({ method: 'POST', url: '/v1/webhooks', headers, payload: { url } })),
  )
  await service.authorise({}, owner)
  await service.runJob('seal events')
  await service.runJob('deliver webhooks')
  return Promise.all(
    answers.map(async ({ status, body }, at) => {
      if (status === 400) return 'refused'
      const { _id } = v.parse(Made, body.resource.data)
      const { body: list } = await service.call({ url: `/v1/webhooks/${_id}/deliveries`, headers })
      const [delivery] = v.parse(Deliveries, list.resource.data)
      if (delivery === undefined || delivery.attempts === 0) return `${String(urls[at])} was never tried`
      return delivery.last_fault?.includes('not a public') === true
        ? 'not public'
        : `${String(urls[at])}: ${String(delivery.last_fault)}`
    }),
  )
}

describe('webhooks to inner addresses', () => {
  it('reach nothing outside sandbox, however the address is written', async (context) => {
    const keys = { SVC_VAULT_KEYS: `a:${randomBytes(32).toString('base64')}` }
    const service = await createTestService({ settings: { SVC_ENVIRONMENT: 'staging_svc', ...keys } })
    hits = 0
    const outcomes: string[] = []
    const urls = innerAddresses.map((address) => address.replace('PORT', String(port)))
    for (let at = 0; at < urls.length; at += AT_ONCE)
      outcomes.push(...(await tell(service, urls.slice(at, at + AT_ONCE))))
    await service.close()
    countAttack(context, outcomes)
    expect(outcomes.filter((one) => one !== 'refused' && one !== 'not public')).toEqual([])
    expect(hits).toBe(0)
  })

  it.each(['http://localhost:PORT/', 'https://to-loopback.test:PORT/', 'https://[::1]:PORT/'])(
    'would be seen here: in sandbox %s is reached',
    async (address) => {
      const service = await createTestService()
      hits = 0
      await tell(service, [address.replace('PORT', String(port))])
      await service.close()
      expect(hits).toBe(1)
    },
  )
})

/** Ways to write an address that a merchant's webhook may not reach (RFC 6890), with `PORT` where a listener is. */
const innerAddresses: readonly string[] = [
  'https://localhost:PORT/',
  'https://localhost.:PORT/',
  'https://LOCALHOST:PORT/',
  'https://127.0.0.1:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://0x7f.0.0.0x1:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://127。0。0。1:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://loc%61lhost:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[::7f00:1]:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2002:7f00:1::1]:PORT/',
  'https://[2001:0:7f00:1::]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fd00:ec2::254]:PORT/',
  'https://[ff02::1]:PORT/',
  'https://10.0.0.1:PORT/',
  'https://172.16.0.1:PORT/',
  'https://192.168.0.1:PORT/',
  'https://100.64.0.1:PORT/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://192.0.2.1:PORT/',
  'https://198.18.0.1:PORT/',
  'https://224.0.0.1:PORT/',
  'https://255.255.255.255:PORT/',
  'https://240.0.0.1:PORT/',
  'https://user:word@127.0.0.1:PORT/',
  'https://example.com@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/#@example.com',
  'https://127.0.0.1:PORT\\@example.com/',
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://[::1]:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'ws://127.0.0.1:PORT/',
  'javascript:alert(1)',
  'data:,x',
  '//127.0.0.1:PORT/',
  // Names of anyone's choosing: this resolver says for each what attackers' name servers say.
  'https://to-loopback.test:PORT/',
  'https://to-loopback6.test:PORT/',
  'https://to-mapped.test:PORT/',
  'https://to-compatible.test:PORT/',
  'https://to-private.test:PORT/',
  'https://to-nat64.test:PORT/',
  'https://to-metadata.test:PORT/',
  'https://to-unspecified.test:PORT/',
  'https://127.0.0.1.nip.test:PORT/',
]

/** What the names above resolve to. */
const innerNames: Readonly<Record<string, { address: string; family: number }>> = {
  localhost: { address: '127.0.0.1', family: 4 },
  'localhost.': { address: '127.0.0.1', family: 4 },
  'to-loopback.test': { address: '127.0.0.1', family: 4 },
  'to-loopback6.test': { address: '::1', family: 6 },
  'to-mapped.test': { address: '::ffff:127.0.0.1', family: 6 },
  'to-compatible.test': { address: '::127.0.0.1', family: 6 },
  'to-private.test': { address: '10.0.0.1', family: 4 },
  'to-nat64.test': { address: '64:ff9b::7f00:1', family: 6 },
  'to-metadata.test': { address: '169.254.169.254', family: 4 },
  'to-unspecified.test': { address: '0.0.0.0', family: 4 },
  '127.0.0.1.nip.test': { address: '127.0.0.1', family: 4 },
}
