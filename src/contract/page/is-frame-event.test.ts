import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHECKOUT_EVENT_NAMES } from './checkout-event.ts'
import { isFrameEvent } from './is-frame-event.ts'
import { EVENT_NAMES } from './widget-event.ts'
import type { EventBase } from './widget-event.ts'

const UUID = '0b0a4d0e-6f0b-4b43-9d3b-0e1c6f7e2a11'
const base: EventBase = {
  purpose: 'payment_source',
  message_source: 'widget.svc',
  ref_id: '',
  widget_id: UUID,
}
const validators = {
  required: ['card_ccv'],
  cardNumberValidator: [],
  expireDateValidation: ['expire_month'],
}
const error = { code: 'x', message: 'X.' }
const EVENTS = [
  { event: 'afterLoad' },
  { event: 'submit' },
  { event: 'finish', payment_source: UUID },
  {
    event: 'validationError',
    error: { ...error, details: [{ path: 'card_ccv', message: 'X.' }] },
    invalid_fields: ['card_ccv'],
  },
  { event: 'systemError', error: { ...error, retryable: true } },
  { event: 'metaChange', card_scheme: null, card_number_length: 3, gateway_type: 'sandbox', type: 'card' },
  { event: 'resize', height: 1.5, width: 0 },
  {
    event: 'validation',
    form_valid: false,
    invalid_fields: ['card_ccv'],
    invalid_showed_fields: [],
    validators,
  },
  { event: 'focus', field: 'card_ccv' },
  { event: 'blur', field: 'email' },
  { event: 'paymentSuccessful', result: { intent_id: '65f0', charge_id: '65f1' } },
  { event: 'paymentFailure', result: error },
  { event: 'paymentExpired' },
  { event: 'backToShop', return_url: 'https://shop.example/' },
  { event: 'authenticationRequired', authentication: { id: '65f2', token: UUID } },
].map((own) => ({ ...base, ...own }))

describe('an event from a frame', () => {
  it('is tried for each name', () => {
    expect(EVENTS.map(({ event }) => event)).toEqual([...EVENT_NAMES, ...CHECKOUT_EVENT_NAMES])
  })

  it.each(EVENTS)('$event is taken whole', (event) => {
    expect(isFrameEvent(event)).toBe(true)
  })

  it.each(EVENTS)('$event is dropped with a field too many, too few, or of another kind', (event) => {
    expect(isFrameEvent({ ...event, card_number: '4111' })).toBe(false)
    for (const key of Object.keys(event)) {
      expect(isFrameEvent({ ...event, [key]: Symbol('no') })).toBe(false)
      expect(isFrameEvent({ ...event, [key]: undefined })).toBe(false)
    }
  })

  it.each([
    ['the last four digits of a valid number', { card_number_last4: '1118' }, true],
    ['more digits than four', { card_number_last4: '11118' }, false],
    ['a length that is none', { card_number_length: NaN }, false],
    ['a length below nothing', { card_number_length: -1 }, false],
    ['a length without end', { card_number_length: Infinity }, false],
  ])('metaChange with %s', (_, fields, taken) => {
    expect(isFrameEvent({ ...EVENTS[5], ...fields })).toBe(taken)
  })

  it('whatever comes is an answer, never a throw', () => {
    const key = fc.constantFrom('event', 'error', 'validators', 'height', '__proto__', 'constructor')
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(key, fc.anything())), (message) => {
        expect(isFrameEvent(message)).toBe(false)
      }),
    )
  })
})
