import type { FrameSetup } from '../../contract/page/frame-setup.ts'
import { FACTS } from './browser-facts.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { startFrame } from '../start-frame.tsx'
import { createTimers } from './timers.ts'
import { readTranslation } from './translations.ts'
import { messagesDelivered, createPage, WELCOME } from './welcome.ts'

export const READY = {
  ready: true,
  language: readTranslation('en'),
  public_key: 'pk',
  gateway_id: 'default',
  gateway_type: 'sandbox',
  tokens_url: 'https://api.example/v1/payment_sources/tokens',
  languages_url: 'https://widget.example/languages/',
  today: '2026-11-21',
} as const satisfies FrameSetup

export const TOKEN = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a11'
let keysMade = 0

/** Answers of the service, one for each request; what was sent is kept. */
export function createService(...answers: (() => Promise<Response>)[]) {
  const bodies: unknown[] = []
  const keys: (string | null)[] = []
  const send: typeof globalThis.fetch = (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : null)
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    return answers.shift()?.() ?? Promise.reject(new TypeError('Failed to fetch'))
  }
  return { bodies, keys, send }
}

/** The service's answer of a status, with a token or an error. */
export function answer(status: number, error: object | null = null): () => Promise<Response> {
  const data = error === null ? TOKEN : null
  const body = JSON.stringify({ status, error, resource: { type: 'token', data } })
  return () => Promise.resolve(new Response(body, { status }))
}

interface OpenOptions {
  setup?: FrameSetup
  send?: typeof globalThis.fetch
  settings?: WidgetSettings
  /** What else is in the welcome. */
  welcome?: object
  online?: boolean
  /** Whether the page welcomes the frame. */
  welcomes?: boolean
  /** Whether the page says at once that it is done with a token. */
  settles?: boolean
}

/** A frame in its page, welcomed with some settings; pauses between tries take no time. */
export async function openFrame({
  setup = READY,
  send = createService(answer(201)).send,
  settings = {},
  welcome = {},
  online = true,
  welcomes = true,
  settles = true,
}: OpenOptions = {}) {
  const content = document.createElement('div')
  document.body.replaceChildren(content)
  const page = createPage(window, { settles })
  const warnings: string[] = []
  const timers = createTimers()
  startFrame({
    frameWindow: window,
    content,
    setup,
    elapsed: () => 0,
    send,
    wait: () => Promise.resolve(),
    after: timers.after,
    random: () => 0.5,
    facts: () => FACTS,
    createKey: () => `key-${String((keysMade += 1))}`,
    online: () => online,
    warn: (message) => warnings.push(message),
  })
  const sayWelcome = () => page.say({ ...WELCOME, settings: { ref_id: 'order-1', ...settings }, ...welcome })
  if (welcomes) sayWelcome()
  await messagesDelivered()
  const named = (name: string) => page.events.filter(({ event }) => event === name)
  return { ...page, sayWelcome, named, warnings, timePassed: timers.passed }
}
