import { describe, expect, expectTypeOf, it } from 'vitest'
import { FORM_FIELDS } from '../contract/page/fields/card-fields.ts'
import { CARD_ICONS, ELEMENTS, STYLE_KEYS, TEXT_KEYS } from '../contract/page/widget-appearance.ts'
import { EVENT_NAMES } from '../contract/page/widget-event.ts'
import * as svc from './index.ts'
import type { FinishEvent, MetaChangeEvent } from './index.ts'

describe('the constants', () => {
  it.each([
    ['EVENT', svc.EVENT, EVENT_NAMES],
    ['TEXT', svc.TEXT, TEXT_KEYS],
    ['STYLE', svc.STYLE, STYLE_KEYS],
    ['FORM_FIELD', svc.FORM_FIELD, FORM_FIELDS],
    ['ELEMENT', svc.ELEMENT, ELEMENTS],
    ['SUPPORTED_CARD_TYPES', svc.SUPPORTED_CARD_TYPES, CARD_ICONS],
  ] as const)('%s has a name for each word of the contract', (_, constants, words) => {
    expect(Object.values(constants)).toEqual(words)
    for (const name of Object.keys(constants)) expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/)
  })

  it('are typed to the letter', () => {
    expectTypeOf(svc.TEXT.SUBMIT_BUTTON).toEqualTypeOf<'submit_button'>()
    expectTypeOf(svc.EVENT.FINISH).toEqualTypeOf<'finish'>()
    expectTypeOf(svc.EVENT.AFTER_LOAD).toEqualTypeOf<'afterLoad'>()
    expectTypeOf(svc.TRIGGER.SUBMIT_FORM).toEqualTypeOf<'submit_form'>()
    expect(svc.EVENT).toMatchObject({ AFTER_LOAD: 'afterLoad', VALIDATION_ERROR: 'validationError' })
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
    expectTypeOf<ReturnType<typeof widget.submit>>().toEqualTypeOf<Promise<FinishEvent>>()
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
      // @ts-expect-error -- a label is not hovered
      widget.setElementStyle('label', 'hover', { color: 'red' })
      // @ts-expect-error -- a button is not in error
      widget.setElementStyle('submit_button', 'error', { color: 'red' })
      // @ts-expect-error -- no property has this name
      widget.setElementStyle('input', { colour: 'red' })
      // @ts-expect-error -- no field has this name
      widget.setFormFields(['card_nam*'])
      // @ts-expect-error -- the card number cannot be preset
      widget.setFormValues({ card_number: '4111' })
      // @ts-expect-error -- the code cannot be preset
      widget.updateFormValue('card_ccv', '123')
      // @ts-expect-error -- no scheme has this name
      widget.setSupportedCardIcons(['vise'])
      // @ts-expect-error -- no theme has this name
      widget.setTheme('dark')
      // @ts-expect-error -- nothing can be triggered by this name
      widget.trigger('submit')
      // @ts-expect-error -- no field has this name
      widget.focus('number')
      // @ts-expect-error -- no check has this name
      widget.isInvalidFieldByValidator('email', 'luhn')
      // @ts-expect-error -- a title cannot be hidden
      widget.hideElements(['title'])
      // @ts-expect-error -- no environment has this name
      widget.setEnv('prod')
    }
    expect(refused).toBeTypeOf('function')
  })
})
