import { PROTOCOL } from '../../../contract/page/widget-channel.ts'
import { FACTS } from '../../testing/browser-facts.ts'
import type { CheckoutSession } from '../../../contract/api/checkouts/checkout-session.ts'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import { messagesDelivered, createPage } from '../../testing/welcome.ts'
import { createTimers } from '../../testing/timers.ts'
import { startCheckout } from '../start-checkout.tsx'
import { readCheckoutTranslation } from '../../testing/translations.ts'

export const CARD_TOKEN = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a11'
export const INTENT = '65f0c0ffee65f0c0ffee65f0'
export const CHARGE = '65f0c0ffee65f0c0ffee65f1'
export const PAID = { intent_id: INTENT, charge_id: CHARGE }
const NOW = Date.parse('2026-11-21T00:00:00Z')
const API = 'https://api.example'

export const SESSION: CheckoutSession = {
  intent_id: INTENT,
  version: 1,
  status: 'active',
  amount: 49,
  currency: 'AUD',
  reference: 'MF-7',
  description: '1 × Dusk lamp',
  merchant_name: 'Marlow & Finch',
  return_url: 'https://shop.example/basket',
  expires_at: new Date(NOW + 16 * 60_000).toISOString(),
  charge_id: null,
  payment_under_way: false,
  configuration: {},
  customisation: {},
  customisation_since_1_3: {},
}

type Reply = () => Promise<Response>

/** The service's answer of a status, with data or an error's code. */
export function reply(status: number, given: object | string | null): Reply {
  const error = status < 400 ? null : { code: given, message: 'm' }
  const data = status < 400 ? given : null
  const body = JSON.stringify({ status, error, resource: { type: 'token', data } })
  return () => Promise.resolve(new Response(body, { status }))
}

export const session = (change: Partial<CheckoutSession> = {}) => reply(200, { ...SESSION, ...change })
export const paid = reply(201, { ...PAID, status: 'completed' })
export const dropped: Reply = () => Promise.reject(new TypeError('Failed to fetch'))

interface Answers {
  /** One for each reading; the last one for all that follow. */
  sessions?: Reply[]
  tokens?: Reply[]
  payments?: Reply[]
}

interface CheckoutOptions extends Answers {
  settings?: object
  language?: Language
  online?: () => boolean
}

/** A checkout in its page, welcomed; pauses between tries take no time. */
export async function openCheckout({
  settings = {},
  language = 'en',
  online = () => true,
  ...answers
}: CheckoutOptions = {}) {
  const content = document.createElement('div')
  document.body.replaceChildren(content)
  const page = createPage(window)
  const service = createService(answers)
  let time = NOW
  const timers = createTimers()
  const pauses: number[] = []
  startCheckout({
    frameWindow: window,
    content,
    setup: {
      session_url: `${API}/session`,
      payments_url: `${API}/payments`,
      tokens_url: `${API}/tokens`,
      authentications_url: `${API}/authentications/`,
      languages_url: `${API}/languages/`,
      today: '2026-11-21',
      language: readCheckoutTranslation(language),
    },
    elapsed: () => time,
    send: service.send,
    wait: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
    after: timers.after,
    random: () => 0.5,
    facts: () => FACTS,
    createKey: () => 'key',
    online,
    warn: () => undefined,
  })
  page.say({
    channel: 'widget.svc',
    protocol: PROTOCOL,
    widget_id: CARD_TOKEN,
    settings,
    token: 'intent.token.sig',
  })
  await messagesDelivered()
  return {
    ...page,
    requests: service.requests,
    pauses,
    timePassed: timers.passed,
    pass: (ms: number) => (time += ms),
    results: () => page.events.filter(({ event }) => event.startsWith('payment')),
  }
}

function createService({ sessions = [session()], tokens = [], payments = [] }: Answers) {
  const requests: { method: string; path: string; authorization: string | null; body: unknown }[] = []
  const send: typeof globalThis.fetch = (url, init) => {
    const { method, headers, url: address } = new Request(url, init)
    const path = new URL(address).pathname
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
    requests.push({ method, path, authorization: headers.get('authorization'), body })
    if (path === '/session') return (sessions.length > 1 ? sessions.shift() : sessions[0])?.() ?? dropped()
    if (path === '/tokens') return (tokens.shift() ?? reply(201, CARD_TOKEN))()
    return (payments.shift() ?? dropped)()
  }
  return { requests, send }
}
