import { promises } from 'node:dns'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { countAttack } from './counted.ts'
import { innerAddresses, innerNames } from './inner-addresses.ts'

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

describe('webhooks to addresses inside', () => {
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
