import type { SignInRequest } from '../../../../contract/dashboard/people/sign-in.ts'
import type { Account } from '../account.ts'
import type { AccountStore } from '../account-store.ts'
import type { PasswordHashes } from '../passwords/hash-passwords.ts'
import { placesOf } from '../user-events.ts'
import type { Caller } from '../user-events.ts'
import { wrongEmailOrPassword } from './failed-sign-in.ts'
import type { RecordFailure } from './failed-sign-in.ts'
import type { Throttle } from './throttle.ts'

/**
 * The account that an e-mail address and a password are of. Throws `unauthorized` in the same words and after the same work
 * whether the address is unknown or the password wrong, and `rate_limited` when the address was tried too often.
 */
export type CheckPassword = (request: SignInRequest, caller: Caller) => Promise<Account>

interface Parts {
  accounts: Pick<AccountStore, 'ofEmail'>
  hashes: Pick<PasswordHashes, 'matches'>
  throttle: Pick<Throttle, 'account'>
  recordFailure: RecordFailure
}

export function createCheckPassword({ accounts, hashes, throttle, recordFailure }: Parts): CheckPassword {
  return async ({ email, password }, caller) => {
    const account = await accounts.ofEmail(email, placesOf(caller))
    const knownPlace = account?.knownPlace ?? null
    await throttle.account(email, knownPlace)
    const asker = { who: knownPlace ?? caller.network, isKnown: knownPlace !== null }
    const isRight = await hashes.matches(account?.passwordHash ?? null, password, asker)
    if (account !== null && isRight) return account
    await recordFailure(account, caller, account === null ? 'email' : 'password')
    throw wrongEmailOrPassword()
  }
}
