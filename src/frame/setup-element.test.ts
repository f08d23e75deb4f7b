import { afterEach, expect, it } from 'vitest'
import { readSetup } from './setup-element.ts'

afterEach(() => document.body.replaceChildren())

function embed(text: string): void {
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = 'svc-setup'
  element.textContent = text
  document.body.append(element)
}

it('reads what the service embedded', () => {
  const setup = {
    ready: true,
    language: { code: 'en', words: { title: 'Card details' } },
    public_key: 'pk',
    gateway_id: 'default',
    gateway_type: 'sandbox',
    tokens_url: 'https://api.example/tokens',
    languages_url: 'https://widget.example/languages/',
    today: '2026-11-21',
  }
  embed(JSON.stringify(setup))
  expect(readSetup(document)).toEqual(setup)
})

it.each([['__SVC_SETUP__'], [''], ['{"ready":true}']])('%j is a frame that can’t take cards', (text) => {
  embed(text)
  expect(readSetup(document)).toMatchObject({ ready: false, error: { code: 'system_error' } })
})

it('no element is a frame that can’t take cards', () => {
  expect(readSetup(document).ready).toBe(false)
})
