import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { factsOf } from '../user-events.ts'
import type { Caller, AddUserEvent } from '../user-events.ts'

/** What was wrong. Only the audit log says it: the person gets the same words for each. */
export type SignInFault = 'email' | 'password' | 'no_merchant' | 'totp' | 'recovery_code' | 'passkey'

/** Records a failed sign-in in the audit log. An unknown e-mail address is not recorded: it may be a typing error. */
export type RecordFailure = (
  account: { id: string; merchantId: string | null } | null,
  caller: Caller,
  reason: SignInFault,
) => Promise<void>

export function createRecordFailure(
  database: Pick<Database, 'transaction'>,
  addEvent: AddUserEvent,
): RecordFailure {
  return (account, caller, reason) =>
    database.transaction(async (queries) => {
      await addEvent(queries, {
        merchantId: account?.merchantId ?? '',
        type: 'user.sign_in_failed',
        subject: account?.id ?? 'service',
        actor: 'service',
        facts: { ...factsOf(caller), reason },
      })
    })
}

/** The same for an unknown e-mail address, a wrong password, and a person who no longer works for any merchant. */
export function wrongEmailOrPassword(): ServiceError {
  return new ServiceError('unauthorized', 'The e-mail address or the password is wrong.', {
    challenge: 'Session',
  })
}

export function wrongCode(): ServiceError {
  return new ServiceError('unauthorized', 'The code is wrong, or was used before.', { challenge: 'Session' })
}

export function wrongPasskey(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'This passkey could not be checked. Try again, or sign in by password.',
    {
      challenge: 'Session',
    },
  )
}
