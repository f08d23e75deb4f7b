import type pg from 'pg'
import * as v from 'valibot'
import type { Service } from '../../src/service/compose.ts'
import { toCursor } from '../../src/service/platform/listing/cursor.ts'
import type { Known } from './questions.ts'
import type { Templates } from './seed.ts'

const Made = v.object({ resource: v.object({ data: v.object({ _id: v.string() }) }) })
const Token = v.object({ resource: v.object({ data: v.string() }) })

/** A merchant with a charge of each kind, a checkout, and a webhook that was told of all this. */
export async function makeTemplates(
  service: Service,
  client: pg.Client,
): Promise<{ merchantId: string; templates: Templates }> {
  const merchant = { name: 'Bench', preAuth: true, allowedOrigins: [] }
  const { publicKey, secretKey, merchant: made } = await service.merchants.make(merchant, () => undefined)
  const send = async (method: 'POST' | 'DELETE', url: string, payload: object = {}) => {
    const headers = { 'x-user-secret-key': secretKey, 'x-user-public-key': publicKey }
    const { body } = await service.app.inject({ method, url, headers, payload })
    const answer: unknown = JSON.parse(body)
    return answer
  }
  const make = async (url: string, payload: object) =>
    v.parse(Made, await send('POST', url, payload)).resource.data._id
  const sell = async (query: string, amount: string) => {
    const token = v.parse(Token, await send('POST', '/v1/payment_sources/tokens', CARD)).resource.data
    return make(`/v1/charges${query}`, {
      amount,
      currency: 'AUD',
      token,
      customer: CUSTOMER,
      description: 'Two mugs',
    })
  }
  await make('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  const templates = {
    sold: await sell('', '10.00'),
    captured: await sell('?capture=false', '10.00'),
    refunded: await sell('', '10.00'),
    held: await sell('?capture=false', '10.00'),
    cancelled: await sell('?capture=false', '10.00'),
    declined: await sell('', '9000.51'),
    checkout: await make('/v1/checkouts/intent', { version: 1, amount: '10.00' }),
  }
  await send('POST', `/v1/charges/${templates.captured}/capture`)
  await send('POST', `/v1/charges/${templates.refunded}/refunds`)
  await send('DELETE', `/v1/charges/${templates.cancelled}/capture`)
  await service.jobs.find(({ name }) => name === 'seal events')?.work()
  await client.query(
    'UPDATE webhook_deliveries SET attempts = 1, next_at = NULL, delivered_at = now(), last_status = 200',
  )
  return { merchantId: made.id, templates }
}

const CARD = {
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
}
const CUSTOMER = {
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@example.com',
  phone: '+61400000000',
}

/** What there is to ask for, once the tables are full. */
export async function knownOf(client: pg.Client, merchantId: string): Promise<Known> {
  const charges = await client.query<Known['charges'][number]>(
    `SELECT c.id, c.reference, c.payment_source ->> 'card_number_last4' AS last4, c.amount::float8 AS cents
     FROM charges c JOIN bench_seed s ON s.id = c.id WHERE c.merchant_id = $1 ORDER BY md5(c.id) LIMIT 200`,
    [merchantId],
  )
  const { rows } = await client.query<{
    id: string
    created_at: Date
    today: string
    month: string
    year: string
  }>(
    `SELECT id, created_at, to_char(now(), 'YYYY-MM-DD') AS today, to_char(now() - interval '29 days', 'YYYY-MM-DD') AS month,
            to_char(now() - interval '364 days', 'YYYY-MM-DD') AS year
     FROM charges WHERE merchant_id = $1 AND created_at < now() - interval '180 days' ORDER BY created_at DESC LIMIT 1`,
    [merchantId],
  )
  const [middle] = rows
  if (middle === undefined) throw new Error('there are no charges in the middle')
  const { id, created_at: createdAt, today, month: monthAgo, year: yearAgo } = middle
  return { charges: charges.rows, cursor: toCursor({ createdAt, id }), days: { today, monthAgo, yearAgo } }
}
