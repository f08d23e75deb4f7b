import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDashboardBed } from '../testing/dashboard-bed.ts'
import type { DashboardBed } from '../testing/dashboard-bed.ts'

let bed: DashboardBed
beforeAll(async () => {
  bed = await createDashboardBed()
})
afterAll(() => bed.service.close())

/** Asks for a webhook, and does `meanwhile` after the headers were judged and before the last of the body is sent. */
async function askSlowly(cookie: string, meanwhile: () => unknown) {
  const payload = new PassThrough()
  const json = JSON.stringify({ url: 'https://shop.example/hook' })
  payload.write(json.slice(0, 10))
  const found = new Promise<void>((resolve) => bed.sessions.onFound(resolve))
  const headers = { 'transfer-encoding': 'chunked' }
  const answer = bed.ask(cookie, { method: 'POST', url: '/v1/webhooks', headers, payload })
  await found
  await turn()
  await meanwhile()
  payload.end(json.slice(10))
  return answer
}
const open = () => bed.sessions.open({ merchantId: bed.service.merchant.merchant.id })
const webhooks = async () => (await bed.ask(bed.owner, { url: '/v1/webhooks' })).body.resource.data

describe('a request whose body comes slowly', () => {
  it('is answered as any other', async () => {
    expect(await askSlowly(open(), () => undefined)).toMatchObject({ status: 201 })
  })

  it.each<[string, (cookie: string) => void, object]>([
    ['the session has ended', (cookie) => bed.sessions.end(cookie), { status: 401 }],
    [
      'the role no longer permits it',
      (cookie) => bed.sessions.change(cookie, { role: 'viewer' }),
      { status: 403 },
    ],
    [
      'the session has gone on to another merchant',
      (cookie) => bed.sessions.change(cookie, { merchantId: 'another' }),
      { status: 403, body: { error: { code: 'forbidden' } } },
    ],
  ])('does nothing when meanwhile %s', async (_name, happen, refusal) => {
    const before = await webhooks()
    const cookie = open()
    expect(await askSlowly(cookie, () => happen(cookie))).toMatchObject(refusal)
    expect(await webhooks()).toEqual(before)
  })
})
