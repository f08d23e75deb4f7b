import { afterEach, describe, expect, it } from 'vitest'
import { agreement, ID, startTestShop } from '../testing/test-shop.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})
async function shop(answer?: Parameters<typeof startTestShop>[0]) {
  const started = await startTestShop(answer)
  closings.push(started.close)
  return started
}

describe('the bank', () => {
  const mandate = {
    ...agreement,
    type: 'recurring',
    creditor: { name: 'Marlow & Finch' },
    end_date: null,
    max_number_of_payments: null,
    payments: [],
  }

  it('shows the terms that an amendment would change, before and after, and no others', async () => {
    const asked = {
      ...mandate,
      payment_terms: { ...mandate.payment_terms, amount: 27.5 },
      end_date: '2027-11-22',
    }
    const { get } = await shop(() => ({ data: { ...mandate, pending_amendment: asked } }))
    expect((await get(`/api/bank/${ID}`)).json()).toMatchObject({
      payee: 'Marlow & Finch',
      change: {
        lines: [
          { label: 'How much', before: 'A$25.00 each time', after: 'A$27.50 each time' },
          { label: 'Until', before: 'You or they end it', after: 'Monday 22 November 2027' },
        ],
      },
    })
  })

  it('passes the payer’s answer on, without any key', async () => {
    const { post, asked } = await shop(() => ({ data: mandate }))
    await post(`/api/bank/${ID}/answers`, { answer: 'suspend' })
    expect(asked).toMatchObject([
      { path: `/sandbox/bank/agreements/${ID}/answers`, body: { answer: 'suspend' } },
    ])
    expect(asked[0]?.headers).not.toHaveProperty('authorization')
  })

  it('says that it has not received an agreement', async () => {
    const { get } = await shop(() => ({ status: 404, error: { code: 'not_found', message: '' } }))
    const { message } = (await get(`/api/bank/${ID}`)).json<{ message: string }>()
    expect(message).toMatch(/or not yet/)
  })
})
