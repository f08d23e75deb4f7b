import { describe, expect, expectTypeOf, it } from 'vitest'
import { FORM_FIELDS } from '../contract/card-fields.ts'
import { STYLE_KEYS, TEXT_KEYS } from '../contract/widget-appearance.ts'
import { EVENT_NAMES } from '../contract/widget-event.ts'
import * as svc from './index.ts'
import type { FinishEvent, MetaChangeEvent } from './index.ts'

describe('the constants', () => {
  it.each([
    ['EVENT', svc.EVENT, EVENT_NAMES],
    ['TEXT', svc.TEXT, TEXT_KEYS],
    ['STYLE', svc.STYLE, STYLE_KEYS],
    ['FORM_FIELD', svc.FORM_FIELD, FORM_FIELDS],
  ] as const)('%s has a name for each word of the contract', (_, constants, words) => {
    expect(Object.values(constants)).toEqual(words)
    for (const name of Object.keys(constants)) expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/)
  })

  it('are typed to the letter', () => {
    expectTypeOf(svc.TEXT.SUBMIT_BUTTON).toEqualTypeOf<'submit_button'>()
    expectTypeOf(svc.EVENT.FINISH).toEqualTypeOf<'finish'>()
    expect(svc.VERSION).toMatch(/^\d+\.\d+\.\d+/)
  })
})

describe('the types', () => {
  it('let the event decide what the callback and the promise get', () => {
    const widget = new svc.HtmlWidget('#card', 'pk')
    widget.on('finish', (event) => expectTypeOf(event).toEqualTypeOf<FinishEvent>())
    widget.on(svc.EVENT.META_CHANGE, (event) => expectTypeOf(event).toEqualTypeOf<MetaChangeEvent>())
    expectTypeOf(widget.on('finish')).toEqualTypeOf<Promise<FinishEvent>>()
    expectTypeOf<ReturnType<typeof widget.load>>().toEqualTypeOf<Promise<void>>()
  })

  it('refuse what is misspelt', () => {
    const refused = (widget: svc.HtmlWidget) => {
      // @ts-expect-error -- no event has this name
      void widget.on('finsh')
      // @ts-expect-error -- a finish has no card number
      expectTypeOf(widget.on('finish')).resolves.toHaveProperty('card_number')
      // @ts-expect-error -- a finish has no such key
      widget.onFinishInsert('input', 'payment_sorce')
      // @ts-expect-error -- no text has this key
      widget.setText('titel', 'Pay')
      // @ts-expect-error -- a style is a text
      widget.setStyles({ font_size: 12 })
      // @ts-expect-error -- no environment has this name
      widget.setEnv('prod')
    }
    expect(refused).toBeTypeOf('function')
  })
})
