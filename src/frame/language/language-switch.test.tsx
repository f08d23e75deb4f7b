import { describe, expect, it } from 'vitest'
import { createService, openFrame, READY } from '../testing/frame-page.ts'
import { button, field, person } from '../testing/person.ts'
import { readTranslation } from '../testing/translations.ts'
import { messagesDelivered } from '../testing/welcome.ts'

describe('a language', () => {
  const FRENCH = { title: 'Données', card_number: 'Numéro', submit_button: 'Payer' }
  const french = () => Promise.resolve(new Response(JSON.stringify(FRENCH)))

  it('changes under the hands: digits and focus stay, the document follows', async () => {
    const page = await openFrame({ send: french })
    await person.type(field('Card number'), '4242')
    page.command({ command: 'set', settings: { language: 'ar' } })
    await messagesDelivered()
    expect(document.documentElement.dir).toBe('rtl')
    page.command({ command: 'set', settings: { language: 'fr' } })
    await messagesDelivered()
    expect(document.activeElement).toBe(field('Numéro'))
    expect(field('Numéro').value).toBe('4242')
    expect(button().textContent).toBe('Payer')
    expect([document.documentElement.lang, document.documentElement.dir, document.title]).toEqual([
      'fr',
      'ltr',
      'Données',
    ])
    expect([page.names[0], page.names.at(-1)]).toEqual(['Card details', 'Données'])
  })

  it('that comes with the document is there at once, and needs no request', async () => {
    const service = createService()
    await openFrame({
      setup: { ...READY, language: readTranslation('fr') },
      settings: { language: 'fr' },
      send: service.send,
    })
    expect([...document.querySelectorAll('label')].map(({ textContent }) => textContent)).toEqual([
      'Nom sur la carte',
      'Numéro de carte',
      'Date d’expiration',
      'Code de sécurité',
    ])
    expect(service.bodies).toEqual([])
  })

  it('English is loaded like any other, when another came with the document', async () => {
    const send = () => Promise.resolve(new Response(JSON.stringify(readTranslation('en').words)))
    const page = await openFrame({ setup: { ...READY, language: readTranslation('fr') }, send })
    expect(button().textContent).toBe('Payer')
    page.command({ command: 'set', settings: { language: 'en' } })
    await messagesDelivered()
    expect(button().textContent).toBe('Pay')
    expect(page.warnings).toEqual([])
  })

  it.each([
    ['is not there', () => Promise.resolve(new Response('{}', { status: 404 }))],
    ['is no JSON', () => Promise.resolve(new Response('<html>'))],
    ['is not texts', () => Promise.resolve(new Response('{"title":7}'))],
    ['can’t be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('that %s leaves the one before, with one warning', async (_what, send) => {
    const page = await openFrame({ send, settings: { language: 'de' } })
    await messagesDelivered()
    expect(button().textContent).toBe('Pay')
    expect(page.warnings).toHaveLength(1)
  })
})
