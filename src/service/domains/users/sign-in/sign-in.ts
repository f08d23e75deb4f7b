import type { SignInRequest } from '../../../../contract/dashboard/people/sign-in.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Caller } from '../user-events.ts'
import type { CheckPassword } from './check-password.ts'
import { wrongEmailOrPassword } from './failed-sign-in.ts'
import type { RecordFailure } from './failed-sign-in.ts'
import type { LetIn, SignedIn } from './let-in.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  checkPassword: CheckPassword
  letIn: Pick<LetIn, 'withPassword'>
  recordFailure: RecordFailure
}

/**
 * Signs in by e-mail address and password, at the merchant that the person worked for last. Throws `unauthorized` in one text
 * for every cause. `oldToken`: what the cookie holds; a session of it ends.
 */
export type SignIn = (request: SignInRequest, caller: Caller, oldToken: string | null) => Promise<SignedIn>

export function createSignIn({ database, checkPassword, letIn, recordFailure }: Parts): SignIn {
  return async (request, caller, oldToken) => {
    const account = await checkPassword(request, caller)
    const { merchantId } = account
    const person = { account, caller, oldToken, invitationId: null }
    const signedIn =
      merchantId === null
        ? null
        : await database.transaction((queries) => letIn.withPassword(queries, { ...person, merchantId }))
    if (signedIn !== null) return signedIn
    await recordFailure(account, caller, merchantId === null ? 'no_merchant' : 'password')
    throw wrongEmailOrPassword()
  }
}
