import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShopServer } from '../shop-server.ts'
import { startServiceDouble } from './service-double.ts'
import type { Asked, Reply } from './service-double.ts'

export const ID = '6b0179918a1c5e0b3d2f4a60'

/** An active agreement, as the card service answers it. */
export const agreement = {
  _id: ID,
  status: 'active',
  description: 'Lamp of the month',
  start_date: '2026-11-22',
  debtor: { name: 'Grace', pay_id: { value: 'g••••@example.com' } },
  payment_terms: {
    amount_type: 'fixed',
    amount: 25,
    maximum_amount: null,
    frequency: 'weekly',
    count_per_period: null,
    point_in_period: 7,
    first_payment: null,
    last_payment: null,
  },
  response_required_by: '2026-11-27T00:00:00.000Z',
  pending_amendment: null,
  suspended_by: null,
  next_collection_date: '2026-11-29',
  created_at: '2026-11-22T00:00:00.000Z',
}

const TOKEN = { body: { access_token: 'token-1', expires_in: 900 } }

/** A shop whose card service issues tokens, and gives the answers of a test to all other requests. */
export async function startTestShop(answer: (asked: Asked) => Reply = () => ({ data: agreement })) {
  const service = await startServiceDouble((asked) => (asked.path === '/oauth/token' ? TOKEN : answer(asked)))
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  const file = join(folder, 'demo.json')
  const keys = {
    public_key: 'pk',
    secret_key: 'sk',
    gateway_id: 'gw',
    client_id: 'me',
    client_secret: 'cs_1',
  }
  writeFileSync(file, JSON.stringify({ ...keys, service_url: service.url }))
  const app = await createShopServer(file)
  const headers = { host: 'localhost:8090', origin: 'http://localhost:8090' }
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })
  const get = (url: string) => app.inject({ url, headers })
  const close = async () => {
    await app.close()
    await service.close()
    rmSync(folder, { recursive: true })
  }
  return { asked: service.asked, post, get, close }
}
