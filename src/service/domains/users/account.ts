import type { SecondFactor } from '../../../contract/dashboard/people/sign-in.ts'

/** A person who can sign in, and the factors that sign-in asks for. */
export interface Account {
  id: string
  email: string
  name: string
  timeZone: string
  /** Null after a reset, until the person sets a new password. */
  passwordHash: string | null
  /** The merchant that the person worked for last; null for a member of no team. */
  merchantId: string | null
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

/** The time zone of a new account. A person may choose another. */
export const FIRST_TIME_ZONE = 'Australia/Sydney'

/** The second factors that a person can give; none if the password is enough. A recovery code replaces a lost one. */
export function secondFactorsOf({
  hasTotp,
  passkeys,
  recoveryCodesLeft,
}: Pick<Account, 'hasTotp' | 'passkeys' | 'recoveryCodesLeft'>): SecondFactor[] {
  const own: SecondFactor[] = [
    ...(hasTotp ? ['totp' as const] : []),
    ...(passkeys > 0 ? ['passkey' as const] : []),
  ]
  return own.length > 0 && recoveryCodesLeft > 0 ? [...own, 'recovery_code'] : own
}
