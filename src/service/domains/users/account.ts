import type { SecondFactor } from '../../../contract/dashboard/people/sign-in.ts'

/** A person with what sign-in asks for. */
export interface Account {
  id: string
  email: string
  name: string
  timeZone: string
  /** Null after a reset, until a new password is set. */
  passwordHash: string | null
  /** The merchant that the person worked for last; null for a member of none. */
  merchantId: string | null
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

/** The zone that agreements' days are in; a person may choose another. */
export const FIRST_TIME_ZONE = 'Australia/Sydney'

/** What a person may give after the password; nothing where the password is enough. Recovery codes stand in for a lost one. */
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
