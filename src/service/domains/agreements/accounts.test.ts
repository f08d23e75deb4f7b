import { describe, expect, it } from 'vitest'
import { maskedCreditor, maskedDebtor } from './accounts.ts'

const debtor = { name: 'Grace Hopper', type: 'person' } as const

describe('what answers show', () => {
  it.each([
    ['123456789', '••••••789'],
    ['1234', '•234'],
    ['123', '•••'],
    ['1', '•'],
  ])('of the account number %s is %s', (number, shown) => {
    const account = { bsb: '802985', account_number: number }
    expect(maskedCreditor({ name: 'Acme', account }).account.account_number).toBe(shown)
    expect(maskedDebtor({ ...debtor, account }).account).toEqual({ bsb: '802985', account_number: shown })
  })

  it.each([
    ['EMAIL', 'grace@example.com', 'g••••@example.com'],
    ['PHONE', '+61-412345678', '+61-••••678'],
    ['ABN', '51824753556', '••••••••556'],
    ['ORGANISATION', 'Hopper Pty', 'H••••'],
  ] as const)('of a PayID of type %s is masked', (type, value, shown) => {
    expect(maskedDebtor({ ...debtor, pay_id: { type, value } }).pay_id).toEqual({ type, value: shown })
  })
})
