import { fireEvent } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard, words } from '../testing/person.ts'
import { readTranslation } from '../testing/translations.ts'
import { messagesDelivered } from '../testing/welcome.ts'

const ADDRESS = (['address_country', 'address_state', 'address_postcode'] as const).map((name) => ({
  field: name,
  required: false,
}))

const open = async (settings: WidgetSettings = {}, send = createService(answer(201)).send) =>
  openFrame({ settings: { fields: ADDRESS, ...settings }, send })
const list = () => document.querySelector('[role=listbox]')
const shown = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
const active = () => document.querySelector('[aria-selected=true]')?.textContent ?? null
const country = () => field('Country (optional)')
const labels = () =>
  [...document.querySelectorAll('label')].map(({ htmlFor, textContent }) =>
    htmlFor.startsWith('address') ? textContent.replace(/\s*\(.*/, '') : '',
  )

describe('the list of countries', () => {
  it('opens while something is typed, says how many there are, and takes the first by Enter', async () => {
    const page = await open()
    expect(list()).toBeNull()
    await person.type(country(), 'austr')
    expect([shown(), active()]).toEqual([['Australia', 'Austria'], 'Australia'])
    expect(country().getAttribute('aria-expanded')).toBe('true')
    expect(document.querySelector('[role=status]')?.textContent).toBe('Matches: 2.')
    await person.keyboard('{ArrowDown}')
    expect(country().getAttribute('aria-activedescendant')).toBe('AT')
    await person.keyboard('{Enter}')
    expect([country().value, list(), country().getAttribute('aria-expanded')]).toEqual([
      'Austria',
      null,
      'false',
    ])
    expect(page.named('validationError')).toEqual([])
  })

  it('opens by an arrow with all, and moves by arrows, Home and End', async () => {
    await open({ values: { address_country: 'AU' } })
    country().focus()
    await person.keyboard('{ArrowDown}')
    expect([shown().length, active()]).toEqual([250, 'Australia'])
    const places = []
    for (const key of ['ArrowUp', 'Home', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'End']) {
      await person.keyboard(`{${key}}`)
      places.push(active())
    }
    expect(places).toEqual(['Aruba', 'Afghanistan', 'Zimbabwe', 'Afghanistan', 'Åland Islands', 'Zimbabwe'])
    await person.keyboard('{Escape}')
    expect([list(), country().value]).toEqual([null, 'Australia'])
  })

  it('takes what is pressed, and a click opens it with the text selected', async () => {
    await open({ values: { address_country: 'Japan' } })
    await person.click(country())
    expect([active(), country().selectionStart, country().selectionEnd]).toEqual(['Japan', 0, 5])
    const jordan = [...document.querySelectorAll('[role=option]')].find(
      ({ textContent }) => textContent === 'Jordan',
    )
    if (jordan) await person.click(jordan)
    expect([country().value, list(), document.activeElement]).toEqual(['Jordan', null, country()])
  })

  it('is left by Tab with the one country that it has found, or with the one moved to', async () => {
    await open()
    await person.type(country(), 'zeal{Tab}')
    expect([country().value, list()]).toEqual(['New Zealand', null])
    await person.clear(country())
    await person.type(country(), 'austr{ArrowDown}{Tab}')
    expect(country().value).toBe('Austria')
  })

  it('takes codes, names of other languages and what autofill puts in', async () => {
    await open()
    await person.type(country(), 'uk{Tab}')
    expect(country().value).toBe('United Kingdom')
    fireEvent.input(country(), { target: { value: 'DEU' } })
    expect([country().value, list()]).toEqual(['Germany', null])
    fireEvent.input(country(), { target: { value: 'Austria' } })
    expect(country().value).toBe('Austria')
  })

  it('never loses what is typed, and says so when the field is left', async () => {
    const page = await open()
    await person.type(country(), 'Atlantis')
    expect(list()).toBeNull()
    await person.tab()
    expect([country().value, words('Country (optional)')]).toEqual([
      'Atlantis',
      'Choose a country from the list.',
    ])
    await typeCard()
    await pay()
    expect(page.named('validationError').at(-1)).toMatchObject({ invalid_fields: ['address_country'] })
  })

  it('is undone by the same key as any edit', async () => {
    await open({ values: { address_country: 'Japan' } })
    await person.click(country())
    await person.keyboard('{Home}{Enter}')
    expect(country().value).toBe('Afghanistan')
    await person.keyboard('{Control>}z{/Control}')
    expect(country().value).toBe('Japan')
  })
})

describe('what is sent', () => {
  it.each([
    ['the page’s own word for a country that stays', 'AUS', '', 'AUS'],
    ['another country by the name that was chosen', 'AU', 'New Zealand', 'New Zealand'],
    ['the page’s word again for one that is chosen again', 'AU', 'Australia', 'AU'],
  ])('is %s', async (_what, preset, typed, sent) => {
    const service = createService(answer(201))
    await open({ values: { address_country: preset } }, service.send)
    await typeCard()
    if (typed !== '') {
      await person.clear(country())
      await person.type(country(), typed)
    }
    await pay()
    expect(service.bodies).toMatchObject([{ address_country: sent }])
  })

  it('is a hidden country as the page has set it, whatever that is', async () => {
    const service = createService(answer(201))
    const hidden = { hidden: ['address_country', 'address_state'] } as const
    await open(
      { ...hidden, hidden: [...hidden.hidden], values: { address_country: 'Atlantis', address_state: 'XX' } },
      service.send,
    )
    await typeCard()
    await pay()
    expect(service.bodies).toMatchObject([{ address_country: 'Atlantis', address_state: 'XX' }])
  })
})

describe('postcode and state', () => {
  it.each([
    ['AU', 'State', 'Postcode', 'numeric'],
    ['US', 'State', 'ZIP code', 'numeric'],
    ['CA', 'Province', 'Postal code', 'text'],
    ['GB', 'County', 'Postcode', 'text'],
    ['IE', 'County', 'Eircode', 'text'],
    ['DE', 'State or region', 'Postal code', 'numeric'],
    ['JP', 'State or region', 'Postcode', 'text'],
  ])('of %s are called %s and %s', async (preset, state, postcode, mode) => {
    await open({ values: { address_country: preset } })
    expect(labels().slice(-2)).toEqual([state, postcode])
    const input = document.querySelector<HTMLInputElement>('#address_postcode')
    expect([input?.inputMode, input?.getAttribute('autocapitalize')]).toEqual([mode, 'characters'])
  })

  it.each([
    ['', 'CEP'],
    ['BR', 'CEP'],
    ['GB', 'Código postal'],
    ['IT', 'Código postal'],
  ])('of %j are called %s in Brazilian Portuguese', async (preset, postcode) => {
    const answerWords = () => Promise.resolve(Response.json(readTranslation('pt-BR').words))
    const page = await open({ values: { address_country: preset } }, answerWords)
    page.command({ command: 'set', settings: { language: 'pt-BR' } })
    await messagesDelivered()
    expect(labels().at(-1)).toBe(postcode)
  })

  it('follow the country that is chosen, and not what is typed of one', async () => {
    await open()
    await person.type(country(), 'us')
    expect(labels().at(-1)).toBe('Postcode')
    await person.keyboard('{Enter}')
    expect(labels().at(-1)).toBe('ZIP code')
  })

  it('of a wrong form say so when they are left, with an example', async () => {
    await open({ values: { address_country: 'AU' } })
    await person.type(field('Postcode (optional)'), '20000{Tab}')
    await person.type(field('State (optional)'), 'NWS{Tab}')
    expect([words('Postcode (optional)'), words('State (optional)')]).toEqual([
      'Check this: it doesn’t match the country (Australia). For example: 2000.',
      'Check this: it doesn’t match the country (Australia). For example: NSW.',
    ])
    await person.clear(field('State (optional)'))
    await person.type(field('State (optional)'), 'n.s.w.{Tab}')
    expect(words('State (optional)')).toBe('')
  })

  it.each([
    ['', '20000'],
    ['JP', '1'],
    ['Atlantis', 'x'],
  ])('without a rule, as for “%s”, take any text', async (preset, text) => {
    await open({ values: { address_country: preset } })
    await person.type(field('Postcode (optional)'), `${text}{Tab}`)
    expect(words('Postcode (optional)')).toBe('')
  })

  it('follow a preset country that is not shown', async () => {
    await open({ fields: ADDRESS.slice(1), values: { address_country: 'GB' } })
    await person.type(field('Postcode (optional)'), '2000{Tab}')
    expect(words('Postcode (optional)')).toContain('(United Kingdom). For example: SW1A 1AA.')
  })

  it('keep a label that the page has set', async () => {
    await open({ labels: { address_postcode: 'PLZ' }, values: { address_country: 'US' } })
    expect(labels().at(-1)).toBe('PLZ')
  })
})

it('a country is named in the language that the form changes to', async () => {
  const words_ = JSON.stringify(readTranslation('de').words)
  const page = await open({ values: { address_country: 'DE' } }, () => Promise.resolve(new Response(words_)))
  page.command({ command: 'set', settings: { language: 'de' } })
  await messagesDelivered()
  expect(document.querySelector<HTMLInputElement>('#address_country')?.value).toBe('Deutschland')
  expect(page.typed.at(-1)).toBe(false)
  expect(labels().at(-1)).toBe('Postleitzahl')
})

it('the list makes nothing of a form that is being sent', async () => {
  await open({ values: { address_country: 'AU' } }, () => new Promise(() => undefined))
  await typeCard()
  await person.click(button())
  await person.click(country())
  expect(list()).toBeNull()
})
