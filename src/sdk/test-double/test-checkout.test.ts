import { beforeEach, expect, it, vi } from 'vitest'
import { TestCheckout } from './test-checkout.ts'

beforeEach(() => {
  document.body.innerHTML = '<div id="checkout"></div>'
})

const turn = () => new Promise((done) => setTimeout(done))

it('pays, declines and expires as a test asks it to, without a frame', async () => {
  const [paid, failed, expired] = [vi.fn(), vi.fn(), vi.fn()]
  const checkout = new TestCheckout('#checkout', 'token')
    .onPaymentSuccessful(paid)
    .onPaymentFailure(failed)
    .onPaymentExpired(expired)
  await checkout.load()
  expect(document.querySelector('iframe')).toBeNull()
  checkout.declineWith('insufficient_funds', 'Too little.').pay()
  await turn()
  expect(failed.mock.calls).toEqual([[{ code: 'insufficient_funds', message: 'Too little.' }]])
  const payment = { intent_id: 'i', charge_id: 'c' }
  checkout.succeedWith(payment).pay()
  await turn()
  expect(paid.mock.calls).toEqual([[payment]])
  checkout.expire()
  expect(expired).toHaveBeenCalledOnce()
})
