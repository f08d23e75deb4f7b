import type { FrameSetup } from '../../contract/frame-setup.ts'
import { startFrame } from '../start-frame.tsx'
import { arrival, createPage, WELCOME } from './welcome.ts'

const READY = {
  ready: true,
  public_key: 'pk',
  gateway_id: 'default',
  gateway_type: 'sandbox',
  tokens_url: 'https://api.example/v1/payment_sources/tokens',
} as const satisfies FrameSetup

export const TOKEN = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a11'
const NOW = Date.parse('2026-11-21T00:00:00Z')

/** Answers of the service, one for each request; what was sent is kept. */
export function createService(...answers: (() => Promise<Response>)[]) {
  const bodies: unknown[] = []
  const send: typeof fetch = (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : null)
    return answers.shift()?.() ?? Promise.reject(new TypeError('Failed to fetch'))
  }
  return { bodies, send }
}

/** The service's answer of a status, with a token or an error. */
export function answer(status: number, error: object | null = null): () => Promise<Response> {
  const data = error === null ? TOKEN : null
  const body = JSON.stringify({ status, error, resource: { type: 'token', data } })
  return () => Promise.resolve(new Response(body, { status }))
}

/** A frame in its page, welcomed; `texts` and so on go into the welcome. */
export async function openFrame({
  setup = READY,
  send = createService(answer(201)).send,
  welcome = {},
}: { setup?: FrameSetup; send?: typeof fetch; welcome?: object } = {}) {
  const content = document.createElement('div')
  document.body.replaceChildren(content)
  const page = createPage(window)
  startFrame({ room: window, content, setup, now: () => NOW, send, warn: () => undefined })
  page.say({ ...WELCOME, ...welcome })
  await arrival()
  const named = (name: string) => page.events.filter(({ event }) => event === name)
  return { ...page, named }
}
