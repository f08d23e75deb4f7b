import { expect, it } from 'vitest'
import * as v from 'valibot'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import { mayBeOfAnother, toFollowUpAnswer, toRepeatedPayment, toSaleAnswer } from './adyen-messages.ts'

const context = { attemptId: 'a1', isNamed: true, progress: null, flow: null, tookPart: false, made: null }

it('a refusal in which Adyen repeats the card number is kept without it', () => {
  const body = {
    resultCode: 'Refused',
    pspReference: 'KHQC5N7G84BLNK43',
    refusalReason: 'Card 4012.0000.3333.0026 was refused',
    refusalReasonCode: '4012000033330026',
  }
  expect(toSaleAnswer({ kind: 'answered', status: 200, body }, context)).toMatchObject({
    kind: 'declined',
    code: '[card number]',
    description: '[card number]',
  })
})

it('a result that Adyen has added since is neither a yes nor a no', () => {
  const body = { resultCode: 'SomethingNew', pspReference: 'KHQC5N7G84BLNK43', merchantReference: 'a1' }
  expect(toSaleAnswer({ kind: 'answered', status: 200, body }, context)).toEqual({ kind: 'unknown' })
})

const answered = (body: object) => ({ kind: 'answered', status: 200, body }) as const

it.each([
  ['names our reference', { merchantReference: 'a1' }, true, 'approved'],
  ['names our reference, which the request did not', { merchantReference: 'a1' }, false, 'approved'],
  ['names another', { merchantReference: 'a2' }, true, 'unknown'],
  ['names none, to a request that did', {}, true, 'approved'],
  ['names none, to a request that did not', {}, false, 'unknown'],
] as const)('an approval is believed if it is surely of this payment: it %s', (_, named, isNamed, kind) => {
  const reply = answered({ resultCode: 'Authorised', pspReference: 'KHQC5N7G84BLNK43', ...named })
  expect(toSaleAnswer(reply, { ...context, isNamed })).toMatchObject({ kind })
  expect(mayBeOfAnother(reply, { ...context, isNamed })).toBe(kind === 'unknown')
})

it('a step of the bank names no reference', () => {
  const redirect = { type: 'redirect', url: 'https://adyen.example/3ds', method: 'GET' }
  const reply = answered({ resultCode: 'RedirectShopper', action: redirect })
  const progress = { askedBy: 'gateway', returnUrl: 'https://pay.example.com' } as const
  expect(toSaleAnswer(reply, { ...context, isNamed: false, progress })).toMatchObject({
    kind: 'authentication_needed',
  })
})

it.each([
  [{ paymentPspReference: 'S1', reference: 'a1' }, 'approved'],
  [{ paymentPspReference: 'S1' }, 'approved'],
  [{ paymentPspReference: 'S1', reference: 'a2' }, 'unknown'],
  [{ paymentPspReference: 'S2', reference: 'a1' }, 'unknown'],
  [{ reference: 'a1' }, 'unknown'],
])('a capture, cancel or refund is received if it is of this payment: %j', (of, kind) => {
  const reply = answered({ status: 'received', pspReference: 'M1', ...of })
  expect(toFollowUpAnswer(reply, 'a1', 'S1')).toMatchObject({ kind })
})

it.each([
  ['Acme Shop', { shopperStatement: 'Acme Shop' }],
  [null, {}],
])('the statement of the card is to say %j', (statementDescriptor, expected) => {
  const request = {
    attemptId: 'a1',
    amount: v.parse(Amount, '10.00'),
    currency: 'AUD',
    capture: true,
  }
  const { body } = toRepeatedPayment({ ...request, statementDescriptor }, 'https://pay.example.com')
  const { shopperStatement, ...others } = { shopperStatement: undefined, ...body }
  expect(others).toMatchObject({ reference: 'a1' })
  expect(shopperStatement).toBe('shopperStatement' in expected ? expected.shopperStatement : undefined)
})
