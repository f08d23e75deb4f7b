import { expect, it } from 'vitest'
import * as v from 'valibot'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import { toRepeatedPayment, toSaleAnswer } from './adyen-messages.ts'

const context = { attemptId: 'a1', progress: null, flow: null, tookPart: false, made: null }

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
