import fc from 'fast-check'
import * as full from 'valibot'
import { expect, it, vi } from 'vitest'
import { Envelope } from '../src/contract/envelope.ts'
import { FrameSetup } from '../src/contract/frame-setup.ts'
import { TokenResource } from '../src/contract/token-resource.ts'
import { Command, Welcome } from '../src/contract/widget-channel.ts'

vi.resetModules()
vi.doMock('valibot', () => import('./lean-valibot.ts'))
const { safeParse } = await import('./lean-valibot.ts')
const channel = await import('../src/contract/widget-channel.ts')
const setup = await import('../src/contract/frame-setup.ts')
const envelope = await import('../src/contract/envelope.ts')
const token = await import('../src/contract/token-resource.ts')

const SCHEMAS: [string, full.GenericSchema, unknown][] = [
  ['Welcome', Welcome, channel.Welcome],
  ['Command', Command, channel.Command],
  ['FrameSetup', FrameSetup, setup.FrameSetup],
  ['Envelope', Envelope, envelope.Envelope],
  ['TokenResource', TokenResource, token.TokenResource],
]

const uuid = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a22'
const settings = {
  language: 'fr',
  color_scheme: 'dark',
  theme: 'soft',
  texts: { title: 'Card' },
  element_styles: [{ element: 'input', state: 'focus', styles: { color: 'red' } }],
  fields: [{ field: 'email', required: true }],
  hidden: ['submit_button'],
  meta: { order: { id: 7 } },
}
/** Messages that are right, or nearly. */
const MESSAGES: unknown[] = [
  { channel: 'widget.svc', protocol: 2, widget_id: uuid, settings },
  { channel: 'widget.svc', protocol: NaN, widget_id: uuid, settings: { texts: undefined } },
  { command: 'set', settings },
  { command: 'focus', field: 'email' },
  { command: 'focus', field: undefined },
  { command: 'clear', more: 1 },
  {
    ready: true,
    public_key: 'pk',
    gateway_id: 'g',
    gateway_type: 's',
    tokens_url: 't',
    languages_url: 'l',
    language: { code: 'fr', words: { title: 'Carte' } },
  },
  { ready: false, language: { code: 'ar', words: {} }, error: { code: 'c', message: 'm' } },
  { ready: false, error: { code: 'c', message: 'm' } },
  { status: 400, error: { code: 'c', message: 'm', details: [] }, resource: { type: 't', data: null } },
  { status: 201, error: null, resource: { type: 't', data: 1, next: null } },
  { type: 'token', data: uuid },
  [],
  null,
]

function sameAnswer(message: unknown): void {
  for (const [name, schema, lean] of SCHEMAS) {
    if (typeof lean !== 'function') throw new Error(`${name} was not declared anew`)
    const expected = full.safeParse(schema, message)
    const found = safeParse((input) => Reflect.apply(lean, undefined, [input]), message)
    expect(found.success, name).toBe(expected.success)
    if (expected.success) expect(found.output).toEqual(expected.output)
  }
}

it.each(MESSAGES)('answers as valibot does: %j', (message) => {
  sameAnswer(message)
})

it('answers as valibot does, whatever the message', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (message) => {
      sameAnswer(message)
    }),
    { numRuns: 500 },
  )
})

it('answers as valibot does when something in a right message is another thing', () => {
  const spoilt = fc
    .tuple(fc.constantFrom(...MESSAGES), fc.nat(), fc.anything())
    .map(([message, place, other]) => spoil(message, place, other))
  fc.assert(
    fc.property(spoilt, (message) => {
      sameAnswer(message)
    }),
    { numRuns: 2000 },
  )
})

/** A copy of a message in which one thing, counted by its place, is another. */
function spoil(message: unknown, place: number, other: unknown): unknown {
  let count = 0
  const copy = (value: unknown): unknown => {
    count += 1
    if (count - 1 === place % 30) return other
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copy(held)]))
  }
  return copy(message)
}
