import { afterEach, describe, expect, it, vi } from 'vitest'
import { Envelope } from '../src/contract/api/envelope.ts'
import { FrameSetup, LanguageWords } from '../src/contract/page/frame-setup.ts'
import { TokenResource } from '../src/contract/api/charges/payment-source-token.ts'
import { Command, PROTOCOL, Welcome } from '../src/contract/page/widget-channel.ts'
import type { WidgetSettings } from '../src/contract/page/widget-settings.ts'
import { FRAME } from './document-kinds.ts'
import { languageFiles } from './language-files.ts'
import { buildDocument, closeDocuments, open } from './testing/built-document.ts'
import { isOfAnotherVersion, refusedAsJson, refusedBy } from './testing/refused-variants.ts'
import { envelopeOf, ID, oneByOne, withResource } from './testing/service-answers.ts'

// Each hostile set-up is a document of its own.
afterEach(closeDocuments)

const SETTINGS: WidgetSettings = {
  ref_id: 'order-1',
  language: 'en',
  color_scheme: 'light dark',
  theme: 'soft',
  texts: { title: 'Your card' },
  styles: { text_color: '#111' },
  element_styles: [{ element: 'input', state: 'focus', styles: { color: '#222' } }],
  fields: [{ field: 'email', required: true }],
  labels: { email: 'Mail' },
  placeholders: { email: 'you@shop.example' },
  values: { card_name: 'Grace' },
  hidden: ['submit_button'],
  card_icons: ['visa'],
  only_supported: true,
  meta: { order: 1 },
}
const WELCOME: Welcome = { channel: 'widget.svc', protocol: PROTOCOL, widget_id: ID, settings: {} }
const COMMANDS: Command[] = [
  { command: 'set', settings: SETTINGS },
  { command: 'submit' },
  { command: 'focus', field: 'card_ccv' },
  { command: 'clear' },
]
const SETUP: FrameSetup = {
  ready: true,
  language: { code: 'en', words: languageFiles()[0]?.words ?? {} },
  public_key: 'pk',
  gateway_id: 'default',
  gateway_type: 'sandbox',
  tokens_url: 'https://api.example/tokens',
  languages_url: 'https://cards.example/languages/',
  today: '2026-11-21',
}

describe('the card form as it is built', () => {
  const html = buildDocument(FRAME)

  it.each([
    ['preact', 'dangerouslySetInnerHTML'],
    ['@preact/signals, its binding of components', 'ReactiveTextNode'],
    ['@preact/signals-core', 'Cycle detected'],
    ['valibot', 'Invalid '],
    ['card-validator', 'isPotentiallyValid'],
    ['card-validator, all of its public entry', 'postalCode'],
    ['credit-card-type', 'matchStrength'],
  ])('holds the code of %s', (_, marker) => {
    expect(html).toContain(marker)
  })

  it('ignores invalid welcomes, and then answers a valid one', () => {
    const page = open(html, SETUP)
    const hostile = refusedBy(Welcome, { ...WELCOME, settings: SETTINGS })
      .filter((message) => !isOfAnotherVersion(message))
      .map((message) => page.welcome(message))
    const line = page.welcome({ ...WELCOME, settings: SETTINGS })
    expect(hostile.flatMap((refused) => refused.heard())).toEqual([])
    expect(line.heard()).toContainEqual(expect.objectContaining({ event: 'afterLoad', ref_id: 'order-1' }))
  })

  it('ignores invalid commands, and then obeys a valid one', async () => {
    const page = open(html, SETUP)
    const line = page.welcome(WELCOME)
    await vi.waitFor(() => expect(line.heard().at(-1)).toMatchObject({ event: 'validation' }))
    const before = [page.document.body.innerHTML, line.heard().length]
    for (const command of COMMANDS) for (const hostile of refusedBy(Command, command)) line.send(hostile)
    line.send({ command: 'set', settings: { theme: 'compact' } })
    await page.until('[data-theme=compact]')
    expect([page.document.body.innerHTML, line.heard().length]).toEqual(before)
  })

  it('takes no card with an invalid set-up, and says so', () => {
    const short = { ...SETUP, language: { code: 'en', words: { title: 'Card' } } }
    for (const setup of refusedAsJson(FrameSetup, short))
      expect(open(html, setup).document.body.textContent).toContain('could not be set up')
  })

  it.each([
    ['envelope', Envelope, envelopeOf('token', ID), (body: unknown) => body],
    ['token', TokenResource, { type: 'token', data: ID }, withResource],
  ] as const)(
    'finishes with no hostile %s, and then with the right one',
    async (_, schema, right, bodyOf) => {
      const hostile = refusedAsJson(schema, right)
      const answers = oneByOne([...hostile, right].map(bodyOf), 201)
      const page = open(html, SETUP, { 'https://api.example/tokens': answers })
      const line = page.welcome(WELCOME)
      page.typeCard()
      await vi.waitFor(
        () => {
          page.press()
          expect(line.heard()).toContainEqual(
            expect.objectContaining({ event: 'finish', payment_source: ID }),
          )
        },
        { timeout: 10_000, interval: 5 },
      )
      expect(answers).toHaveBeenCalledTimes(hostile.length + 1)
    },
  )

  it('ignores an invalid language file', async () => {
    for (const words of refusedAsJson(LanguageWords, { title: 'Carte' })) {
      const asked = vi.fn(() => ({ status: 200, body: words }))
      const page = open(html, SETUP, { 'https://cards.example/languages/fr.json': asked })
      page.welcome({ ...WELCOME, settings: { language: 'fr' } })
      await vi.waitFor(() => expect(asked).toHaveBeenCalled())
      expect(page.document.documentElement.lang).toBe('en')
    }
  })
})
