import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { tokenContentOf } from '../checkout.ts'

const tokenOf = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

describe('what a checkout’s token says', () => {
  it('is the intent and the shape of its form', () => {
    const form = {
      theme: 'soft',
      texts: { title: 'P' },
      styles: { font_size: '18px' },
      card_icons: ['visa'],
      fields: ['email'],
    }
    const token = tokenOf({ sub: 'i1', shape: { description: 13, language: 'fr', form } })
    expect(tokenContentOf(token)).toEqual({
      intentId: 'i1',
      description: 13,
      language: 'fr',
      form: { ...form, fields: [{ field: 'email', required: false }] },
    })
  })

  it('is only the intent in a token of an older service', () => {
    expect(tokenContentOf(tokenOf({ sub: 'i1', version: 1 }))).toEqual({ intentId: 'i1', description: 0 })
  })

  it.each([
    ['no object', 'soft'],
    ['null', null],
    [
      'of other kinds',
      { description: 'long', form: { theme: 7, texts: [1], styles: 'none', fields: {}, card_icons: 1 } },
    ],
  ])('of a shape that is %s, is nothing that a form could not take', (_, shape) => {
    const { description, form = {} } = tokenContentOf(tokenOf({ sub: 'i1', shape }))
    expect(description).toBe(0)
    expect(v.is(WidgetSettings, form)).toBe(true)
  })
})
