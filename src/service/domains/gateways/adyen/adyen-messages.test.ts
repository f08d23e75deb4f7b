import { expect, it } from 'vitest'
import { toSaleAnswer } from './adyen-messages.ts'

it('a refusal in which Adyen repeats the card number is kept without it', () => {
  const body = {
    resultCode: 'Refused',
    pspReference: 'KHQC5N7G84BLNK43',
    refusalReason: 'Card 4012.0000.3333.0026 was refused',
    refusalReasonCode: '4012000033330026',
  }
  expect(toSaleAnswer({ kind: 'answered', status: 200, body }, 'a1')).toMatchObject({
    kind: 'declined',
    code: '[card number]',
    description: '[card number]',
  })
})

it('a result that Adyen has added since is neither a yes nor a no', () => {
  const body = { resultCode: 'SomethingNew', pspReference: 'KHQC5N7G84BLNK43', merchantReference: 'a1' }
  expect(toSaleAnswer({ kind: 'answered', status: 200, body }, 'a1')).toEqual({ kind: 'unknown' })
})
