import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Service } from '../../../src/service/compose.ts'
import { MEMBERSHIP } from '../../agreements/agreements-client.ts'
import type { ChargeTemplates } from './seed-charges.ts'
import type { OtherTemplates } from './seed-others.ts'
import { testCard } from '../../../src/service/testing/test-card.ts'

const Made = v.object({ resource: v.object({ data: v.object({ _id: v.string() }) }) })
const Token = v.object({ resource: v.object({ data: v.string() }) })
const Status = v.object({ resource: v.object({ data: v.object({ status: v.string() }) }) })

/** Sends a request and returns the answer's JSON. Throws where the answer is an error. */
type Send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => Promise<unknown>

/** A merchant in the service of this process. */
export interface BenchMerchant {
  id: string
  /** Sends with both keys: the secret one of its server, and the public one of its pages. */
  send: Send
}

export async function makeMerchant(service: Service): Promise<BenchMerchant> {
  const settings = { name: 'Bench', preAuth: true, allowedOrigins: [] }
  const { publicKey, secretKey, merchant } = await service.merchants.make(settings, () => undefined)
  const headers = { 'x-user-secret-key': secretKey, 'x-user-public-key': publicKey }
  return { id: merchant.id, send: sending(service.app, headers) }
}

/** Sends as a page of the dashboard does. */
export function dashboardSender({ dashboard }: Service, origin: string): Send {
  return sending(dashboard.app, { origin, 'sec-fetch-site': 'same-origin' })
}

function sending(app: FastifyInstance, headers: Record<string, string>): Send {
  return async (method, url, payload) => {
    const hasBody = method === 'POST'
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers,
      ...(hasBody && { payload: payload ?? {} }),
    })
    // A declined charge is answered with 422, but it exists.
    if (statusCode >= 400 && statusCode !== 422) throw new Error(`${method} ${url}: ${body}`)
    const answer: unknown = JSON.parse(body)
    return answer
  }
}

const make = async (send: Send, url: string, payload: object) =>
  v.parse(Made, await send('POST', url, payload)).resource.data._id

/** A charge of each kind, and a webhook that gets their events. */
export async function makeChargeTemplates(send: Send): Promise<ChargeTemplates> {
  const sell = async (query: string, amount: string) => {
    const token = v.parse(Token, await send('POST', '/v1/payment_sources/tokens', testCard)).resource.data
    const sale = { amount, currency: 'AUD', token, customer: CUSTOMER, description: 'Two mugs' }
    return make(send, `/v1/charges${query}`, sale)
  }
  await make(send, '/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  const templates = {
    sold: await sell('', '10.00'),
    captured: await sell('?capture=false', '10.00'),
    refunded: await sell('', '10.00'),
    held: await sell('?capture=false', '10.00'),
    cancelled: await sell('?capture=false', '10.00'),
    declined: await sell('', '9000.51'),
  }
  await send('POST', `/v1/charges/${templates.captured}/capture`)
  await send('POST', `/v1/charges/${templates.refunded}/refunds`)
  await send('DELETE', `/v1/charges/${templates.cancelled}/capture`)
  return templates
}

/** A checkout that uses templates, and an agreement with a payment, for which the network's background jobs have to run. */
export async function makeOtherTemplates(
  { send }: BenchMerchant,
  ask: Send,
  service: Service,
): Promise<OtherTemplates> {
  const templateOf = (type: string) =>
    make(send, `/v1/checkouts/templates?type=${type}`, { version: 1, label: 'Shop', content: {} })
  const [configuration, customisation] = [
    await templateOf('configuration'),
    await templateOf('customisation'),
  ]
  const checkout = await make(send, '/v1/checkouts/intent', {
    version: 1,
    amount: '10.00',
    configuration: { template_id: configuration },
    customisation: { template_id: customisation },
  })
  const agreement = await make(ask, '/agreements', AGREEMENT)
  await workUntil(service, async () => (await statusOf(ask, `/agreements/${agreement}`)) === 'active')
  const payment = await make(ask, `/agreements/${agreement}/payments`, {
    amount: '10.00',
    reference: 'first',
  })
  await workUntil(service, async () => (await statusOf(ask, `/payments/${payment}`)) === 'settled')
  return {
    checkout,
    configuration,
    customisation,
    rareConfiguration: await templateOf('configuration'),
    agreement,
    payment,
  }
}

const statusOf = async (ask: Send, url: string) => v.parse(Status, await ask('GET', url)).resource.data.status

const JOBS = new Set(['send instructions', 'receive notices', 'send payments'])

async function workUntil(service: Service, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    for (const { name, work } of service.jobs) if (JOBS.has(name)) await work()
  }
}

const CUSTOMER = {
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@example.com',
  phone: '+61400000000',
}
const AGREEMENT = {
  ...MEMBERSHIP,
  type: 'adhoc',
  payment_terms: { amount_type: 'variable', maximum_amount: '50.00' },
}
