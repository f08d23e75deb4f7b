import { describe, expect, it } from 'vitest'
import { CARD_FORM_HEIGHT, frameHtml } from '../contract/page/frame-html.ts'
import { layoutOf } from './iframe-host/form-layout.ts'

const FORM = {
  origin: 'https://cards.example',
  release: 'v1.3.0',
  document: 'frame',
  query: { public_key: 'pk_1', gateway_id: 'default', language: undefined },
  height: CARD_FORM_HEIGHT,
  isCustomised: false,
} as const

function elementOf(html: string): Element {
  const template = document.createElement('template')
  template.innerHTML = html
  expect(template.content.childNodes).toHaveLength(1)
  return template.content.firstElementChild ?? document.body
}

describe('the markup of a form', () => {
  it('is one iframe with the address of its release, key and gateway', () => {
    const frame = elementOf(frameHtml(FORM))
    expect(frame.getAttribute('src')).toBe(
      'https://cards.example/sdk/v1.3.0/frame?public_key=pk_1&gateway_id=default',
    )
    expect(['title', 'width', 'height', 'align', 'style'].map((name) => frame.getAttribute(name))).toEqual([
      'Card details',
      '100%',
      '339',
      'top',
      null,
    ])
  })

  it('reserves what the form needs', () => {
    expect(layoutOf({}, 400).height).toBe(CARD_FORM_HEIGHT)
  })

  it('shows nothing before the page has set how it looks, where the page says that it will', () => {
    expect(elementOf(frameHtml({ ...FORM, isCustomised: true })).getAttribute('src')).toMatch(/default#late$/)
  })

  it.each(['"><script>alert(1)</script>', "' onload='x", '&amp;"', 'pk 1#late', '\u2028</iframe>'])(
    'holds no more than its attributes, whatever the key is: %j',
    (key) => {
      const frame = elementOf(frameHtml({ ...FORM, query: { public_key: key } }))
      expect(frame.getAttributeNames().sort()).toEqual(elementOf(frameHtml(FORM)).getAttributeNames().sort())
      expect(new URL(frame.getAttribute('src') ?? '').searchParams.get('public_key')).toBe(key)
      expect(frame.innerHTML).toBe('')
    },
  )
})
