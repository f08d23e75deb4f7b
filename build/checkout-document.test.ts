import { afterEach, describe, expect, it, vi } from 'vitest'
import { CheckoutWelcome } from '../src/contract/page/checkout-channel.ts'
import { CheckoutPayment, CheckoutSession } from '../src/contract/api/checkouts/checkout-session.ts'
import { CheckoutSetup } from '../src/contract/page/checkout-setup.ts'
import { PROTOCOL } from '../src/contract/page/widget-channel.ts'
import { CHECKOUT } from './document-kinds.ts'
import { checkoutLanguageFiles } from './language-files.ts'
import { buildDocument, closeDocuments, open } from './testing/built-document.ts'
import type { Answers } from './testing/built-document.ts'
import { isOfAnotherVersion, refusedAsJson, refusedBy } from './testing/refused-variants.ts'
import { envelopeOf, ID, oneByOne } from './testing/service-answers.ts'

// Each hostile set-up is a document of its own.
afterEach(closeDocuments)

const CHECKOUT_SETUP: CheckoutSetup = {
  session_url: 'https://api.example/session',
  payments_url: 'https://api.example/payments',
  tokens_url: 'https://api.example/tokens',
  authentications_url: 'https://api.example/v1/authentications/',
  languages_url: 'https://cards.example/languages/',
  today: '2026-11-21',
  language: { code: 'en', words: checkoutLanguageFiles()[0]?.words ?? {} },
}
const SESSION: CheckoutSession = {
  intent_id: '65f0c0ffee65f0c0ffee65f0',
  version: 1,
  status: 'active',
  amount: 49,
  currency: 'AUD',
  reference: 'MF-7',
  description: 'Dusk lamp',
  return_url: null,
  customisation_since_1_3: {},
  merchant_name: 'Marlow & Finch',
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  charge_id: null,
  payment_under_way: false,
  configuration: {
    fields: [{ field: 'email', required: false }],
    card_icons: ['visa'],
    only_supported: false,
  },
  customisation: { texts: { title: 'Pay' }, styles: {}, element_styles: [], theme: 'plain', language: 'en' },
  customer: { card_name: 'Grace' },
}
const PAYMENT: CheckoutPayment = { intent_id: SESSION.intent_id, charge_id: 'c', status: 'completed' }

describe('the checkout as it is built', () => {
  const html = buildDocument(CHECKOUT)
  const welcome: CheckoutWelcome = {
    channel: 'widget.svc',
    protocol: PROTOCOL,
    widget_id: ID,
    settings: {},
    token: 'intent.token.sig',
  }
  const service = (session: unknown, more: Answers = {}): Answers => ({
    'https://api.example/session': () => ({ status: 200, body: envelopeOf('checkout', session) }),
    ...more,
  })

  it('ignores invalid welcomes, and then answers a valid one', () => {
    const page = open(html, CHECKOUT_SETUP, service(SESSION))
    const hostile = refusedBy(CheckoutWelcome, welcome)
      .filter((message) => !isOfAnotherVersion(message))
      .map((message) => page.welcome(message))
    const line = page.welcome(welcome)
    expect(hostile.flatMap((refused) => refused.heard())).toEqual([])
    // Its title, and whether something that was typed stands in it.
    expect(line.heard()).toEqual(['Card details', false])
  })

  it('does not start with an invalid set-up', () => {
    const short = { ...CHECKOUT_SETUP, language: { code: 'en', words: { title: 'Card' } } }
    for (const setup of refusedAsJson(CheckoutSetup, short))
      expect(open(html, setup, service(SESSION)).welcome(welcome).heard()).toEqual([])
  })

  it('shows no invalid session, and then a valid one', async () => {
    const hostile = refusedAsJson(CheckoutSession, SESSION)
    const sessions = oneByOne(
      [...hostile, SESSION].map((session) => envelopeOf('checkout', session)),
      200,
    )
    const page = open(html, CHECKOUT_SETUP, { 'https://api.example/session': sessions })
    page.welcome(welcome)
    await page.until('#form-alert:not(:empty)')
    await vi.waitFor(
      () => {
        page.press()
        expect(page.document.querySelector('.bill')?.textContent).toContain(SESSION.merchant_name)
      },
      { timeout: 10_000, interval: 5 },
    )
    expect(sessions).toHaveBeenCalledTimes(hostile.length + 1)
  })

  it.each([
    [undefined, 'form'],
    [false, 'form'],
    [true, '#result.checking'],
  ])('with payment_under_way %s shows %s', async (payment_under_way, selector) => {
    const page = open(html, CHECKOUT_SETUP, service({ ...SESSION, payment_under_way }))
    const line = page.welcome(welcome)
    await vi.waitFor(() =>
      expect(line.heard()).toContainEqual(expect.objectContaining({ event: 'afterLoad' })),
    )
    await page.until(selector)
    expect(page.document.querySelectorAll('form, #result')).toHaveLength(1)
  })

  it('takes no invalid answer for a payment, and then a valid one', async () => {
    const hostile = refusedAsJson(CheckoutPayment, PAYMENT)
    const payments = oneByOne(
      [...hostile, PAYMENT].map((payment) => envelopeOf('checkout', payment)),
      201,
    )
    const more = {
      'https://api.example/tokens': () => ({ status: 201, body: envelopeOf('token', ID) }),
      'https://api.example/payments': payments,
    }
    const page = open(html, CHECKOUT_SETUP, service(SESSION, more))
    const line = page.welcome(welcome)
    await vi.waitFor(() =>
      expect(line.heard()).toContainEqual(expect.objectContaining({ event: 'afterLoad' })),
    )
    page.typeCard()
    page.press()
    await page.until('#result.checking')
    await page.until('#result.paid')
    expect(payments).toHaveBeenCalledTimes(hostile.length + 1)
    expect(line.heard()).toContainEqual(
      expect.objectContaining({
        event: 'paymentSuccessful',
        result: { intent_id: PAYMENT.intent_id, charge_id: 'c' },
      }),
    )
  })
})
