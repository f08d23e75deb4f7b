import type { SecondFactorRequest } from '../../../../contract/dashboard/people/sign-in.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import { spendRecoveryCode } from '../second-factors/recovery-code-store.ts'
import { stepOfCode } from '../second-factors/totp.ts'
import type { TotpStore } from '../second-factors/totp-store.ts'
import type { SessionReads } from '../sessions/session-reads.ts'
import type { Caller } from '../user-events.ts'
import { wrongCode } from './failed-sign-in.ts'
import type { RecordFailure } from './failed-sign-in.ts'
import type { LetIn, SignedIn } from './let-in.ts'
import type { Throttle } from './throttle.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  sessions: Pick<SessionReads, 'findUnfinished'>
  totp: Pick<TotpStore, 'secretOf' | 'spend'>
  throttle: Pick<Throttle, 'totp' | 'recoveryCode'>
  timeOfDay: TimeOfDay
  letIn: Pick<LetIn, 'withSecondFactor'>
  recordFailure: RecordFailure
}

/**
 * Completes a sign-in after its password was given. Throws `unauthorized` for a wrong or used code and when the sign-in has
 * ended, `rate_limited` when too many codes were tried.
 */
export type GiveSecondFactor = (
  token: string | null,
  factor: SecondFactorRequest,
  caller: Caller,
) => Promise<SignedIn>

export function createGiveSecondFactor(parts: Parts): GiveSecondFactor {
  const { database, sessions, totp, throttle, timeOfDay, letIn, recordFailure } = parts

  /** What uses a factor up within the transaction; false when it is no good. */
  const spending = async (userId: string, factor: SecondFactorRequest) => {
    if ('recovery_code' in factor) {
      await throttle.recoveryCode(userId)
      return (queries: Queries) => spendRecoveryCode(queries, userId, factor.recovery_code)
    }
    await throttle.totp(userId)
    const secret = await totp.secretOf(userId, { isConfirmed: true })
    const step = secret === null ? null : await stepOfCode(secret, factor.code, timeOfDay.epochMs())
    return (queries: Queries) => (step === null ? Promise.resolve(false) : totp.spend(queries, userId, step))
  }

  return async (token, factor, caller) => {
    const session = token === null ? null : await sessions.findUnfinished(token)
    if (session === null) throw notSignedIn()
    const by = 'recovery_code' in factor ? 'recovery_code' : 'totp'
    const spend = await spending(session.userId, factor)
    const signedIn = await database.transaction(async (queries) =>
      (await spend(queries)) ? letIn.withSecondFactor(queries, { session, caller, by }) : null,
    )
    if (signedIn !== null) return signedIn
    await recordFailure({ id: session.userId, merchantId: session.merchantId }, caller, by)
    throw wrongCode()
  }
}
