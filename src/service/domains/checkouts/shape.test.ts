import { describe, expect, it } from 'vitest'
import { FORM_FIELDS } from '../../../contract/page/fields/card-fields.ts'
import { CARD_ICONS, STYLE_KEYS, TEXT_KEYS } from '../../../contract/page/widget-appearance.ts'
import type { Configuration, Customisation } from '../../../contract/api/checkouts/checkout-template.ts'
import { madeIntent } from '../../testing/made-intent.ts'
import { shapeOf } from './intent-tokens.ts'

const of = (
  customisation: Customisation,
  configuration: Partial<Configuration> = {},
  description: string | null = null,
) =>
  shapeOf(
    madeIntent({
      description,
      configuration: { templateId: null, revision: null, content: { capture: 'now', ...configuration } },
      customisation: { templateId: null, revision: null, content: customisation },
    }),
  )

describe('the shape of a checkout', () => {
  it('is only the length of the description where no template says how it looks', () => {
    expect(of({}, { capture: 'later' }, '1 × Dusk lamp')).toEqual({ description: 13 })
    expect(of({ language: 'fr' })).toEqual({ description: 0, language: 'fr' })
    expect(of({ language: 'pt-BR' })).toEqual({ description: 0, language: 'pt-BR' })
  })

  it.each([
    ['full-width', 'ランプ、２個', 12],
    ['Korean', '등 2개', 6],
    ['half-width', 'ﾗﾝﾌﾟ', 4],
    ['emoji', '💡 × 2', 6],
    ['with signs above and below', '\u0915\u0941 e\u0301', 3],
  ])('counts what it shows in characters of usual width: %s', (_, description, length) => {
    expect(of({}, {}, description)).toEqual({ description: length })
  })

  it('says nothing of a description that the page does not show', () => {
    expect(of({ show_reference: false }, {}, '1 × Dusk lamp')).toEqual({ description: 0 })
  })

  it('has what changes places, and no text of the templates', () => {
    const customisation: Customisation = {
      theme: 'soft',
      layout: 'line',
      texts: { title: 'Pay Acme', submit_button: 'Give' },
      styles: { font_size: '18px', button_color: '#123' },
    }
    const fields = [{ field: 'email', required: true }] as const
    expect(of(customisation, { schemes: ['visa'], fields: [...fields] })).toEqual({
      description: 0,
      form: {
        theme: 'soft',
        layout: 'line',
        texts: { title: 'P' },
        styles: { font_size: '18px' },
        card_icons: ['visa'],
        fields: ['email'],
      },
    })
  })

  it('is there, if empty, for colours alone: the form is not shown as it was built', () => {
    expect(of({ styles: { button_color: '#123' } })).toEqual({ description: 0, form: { styles: {} } })
    expect(of({ element_styles: [{ element: 'label', styles: { color: 'red' } }] })).toHaveProperty('form')
  })

  it('leaves a token far below the length that a checkout accepts', () => {
    const all = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'm'.repeat(2000)]))
    const shape = of(
      { theme: 'compact', language: 'fr', texts: all(TEXT_KEYS), styles: all(STYLE_KEYS) },
      { schemes: [...CARD_ICONS], fields: FORM_FIELDS.map((field) => ({ field, required: true })) },
      'm'.repeat(500),
    )
    expect(JSON.stringify(shape).length).toBeLessThan(1000)
  })
})
