import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TemplateUse } from '../../../contract/dashboard/templates/template-use.ts'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { asking, createTestSessions } from '../dashboard/testing/signed-in.ts'
import type { AskDashboard } from '../dashboard/testing/signed-in.ts'
import { usesOf } from './template-store.ts'

const sessions = createTestSessions()
let service: TestService
let calls: CheckoutCalls
let ask: AskDashboard
let cookie: string
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  calls = checkoutCalls(service)
  ask = asking(service)
  cookie = sessions.open({ merchantId: service.merchant.merchant.id, role: 'viewer' })
})
afterAll(() => service.close())

const usesAt = async (path: string) => {
  const { body } = await ask(cookie, { url: `/api/templates/${path}` })
  return { uses: v.parse(v.array(TemplateUse), body.resource.data), next: body.resource.next }
}

describe('the checkouts of a template', () => {
  it('are those that were made with it, newest first, with the revision that each keeps', async () => {
    const id = await calls.makeTemplate('configuration', { schemes: ['visa'] })
    const other = await calls.makeTemplate('configuration', {})
    const first = await calls.make({ configuration: { template_id: id }, reference: 'order-1' })
    await calls.make({ configuration: { template_id: other } })
    await service.call({
      method: 'PUT',
      url: `/v1/checkouts/templates/${id}`,
      headers: calls.secret(),
      payload: { version: 1, content: {} },
    })
    const second = await calls.make({ configuration: { template_id: id } })
    const { uses } = await usesAt(`${id}/checkouts`)
    expect(uses).toMatchObject([
      { checkout_id: second._id, revision: 2, reference: null },
      { checkout_id: first._id, revision: 1, reference: 'order-1', status: 'active', currency: 'AUD' },
    ])
  })

  it('come in pages', async () => {
    const id = await calls.makeTemplate('customisation', {})
    const made: string[] = []
    for (let count = 0; count < 3; count += 1)
      made.unshift((await calls.make({ customisation: { template_id: id } }))._id)
    const { uses, next } = await usesAt(`${id}/checkouts?limit=2`)
    const rest = await usesAt(`${id}/checkouts?limit=2&cursor=${next ?? ''}`)
    expect([...uses, ...rest.uses].map(({ checkout_id }) => checkout_id)).toEqual(made)
    expect(rest.next).toBeNull()
  })

  it('of another merchant are not found', async () => {
    const id = await calls.makeTemplate('configuration', {})
    const { merchant } = await service.makeMerchant()
    const stranger = sessions.open({ merchantId: merchant.id })
    const { status } = await ask(stranger, { url: `/api/templates/${id}/checkouts` })
    expect(status).toBe(404)
  })
})

it.each(['configuration', 'customisation'] as const)(
  'the checkouts of a %s are read by an index in its order',
  async (type) => {
    const plan = await keptPlanOf(service.database, usesOf[type])
    expect(plan).toContain(`Index Scan using checkout_intents_by_${type}`)
    expect(plan).not.toMatch(/Bitmap|Seq Scan|Sort/)
  },
)
