import { expect, it } from 'vitest'
import { frameHtml } from './frame-html.ts'

it('a card form’s markup names the key, the gateway and the release of this package', () => {
  expect(frameHtml({ origin: 'https://cards.example', publicKey: 'pk_1' })).toMatch(
    `src="https://cards.example/sdk/v${__SVC_VERSION__}/frame?public_key=pk_1&amp;gateway_id=default"`,
  )
})

it('what a page says of its form stands in the markup, escaped', () => {
  const html = frameHtml({
    origin: 'https://cards.example',
    publicKey: 'pk"1',
    gatewayId: 'gw',
    language: 'de',
    release: 'v1.4.0',
    height: 400.2,
    isCustomised: true,
  })
  expect(html).toContain('/sdk/v1.4.0/frame?public_key=pk%221&amp;gateway_id=gw&amp;language=de#late"')
  expect(html).toContain('height="401"')
})

it('the origin is that of the address that it is given', () => {
  const html = frameHtml({ origin: 'https://cards.example/v1/', publicKey: 'pk_1' })
  expect(html).toContain('src="https://cards.example/sdk/')
})

it.each([
  ['a secret key', { publicKey: ' sk_live_1234' }, /secret key, which must stand in no page/],
  ['no key', { publicKey: '' }, /publicKey must be a text/],
  ['an origin that is no address', { origin: 'cards.example' }, /origin must be an address/],
])('%s is refused, and not repeated', (_, wrong, words) => {
  const make = () => frameHtml({ origin: 'https://cards.example', publicKey: 'pk_1', ...wrong })
  expect(make).toThrow(words)
  expect(make).not.toThrow(/1234/)
})
