import { expect, it } from 'vitest'
import { secondFactorsOf } from './account.ts'

it.each([
  [false, 0, 0, []],
  [false, 0, 10, []],
  [true, 0, 0, ['totp']],
  [true, 0, 3, ['totp', 'recovery_code']],
  [false, 2, 0, ['passkey']],
  [false, 1, 1, ['passkey', 'recovery_code']],
  [true, 1, 1, ['totp', 'passkey', 'recovery_code']],
])(
  'with app %j, %i passkeys and %i recovery codes, sign-in offers %j',
  (hasTotp, passkeys, recoveryCodesLeft, ways) => {
    expect(secondFactorsOf({ hasTotp, passkeys, recoveryCodesLeft })).toEqual(ways)
  },
)
