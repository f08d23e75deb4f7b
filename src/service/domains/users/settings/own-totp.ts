import type { TotpSetup } from '../../../../contract/dashboard/people/user-settings.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { renewRecoveryCodes, voidRecoveryCodes } from '../second-factors/recovery-code-store.ts'
import { createTotpSecret, stepOfCode, totpUri } from '../second-factors/totp.ts'
import type { TotpStore } from '../second-factors/totp-store.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import type { Act, AddActEvent } from '../user-events.ts'
import { wrongInput } from '../wrong-input.ts'
import type { LockOwnAccount } from './lock-own-account.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  lockOwnAccount: LockOwnAccount
  totp: TotpStore
  throttle: Pick<Throttle, 'totp'>
  timeOfDay: TimeOfDay
  /** What authenticator apps show beside the e-mail address. */
  issuer: string
  addActEvent: AddActEvent
}

/** What a person who is signed in does with the own authenticator app and recovery codes. */
export interface OwnTotp {
  /** A secret to set an app up with. Throws `unfulfilled_condition` when there is an app already. */
  offer: (act: Act) => Promise<TotpSetup>
  /** Turns it on by a first code; the recovery codes, shown this once. Throws `validation_error` for a wrong code. */
  confirm: (act: Act, code: string) => Promise<string[]>
  /** Throws `not_found` when there is none. */
  remove: (act: Act) => Promise<void>
  /** New recovery codes; those before are void. Throws `unfulfilled_condition` where there is no second factor to stand in for. */
  renewRecoveryCodes: (act: Act) => Promise<string[]>
}

export function createOwnTotp({
  database,
  lockOwnAccount,
  totp,
  throttle,
  timeOfDay,
  issuer,
  addActEvent,
}: Parts): OwnTotp {
  const newCodes = async (queries: Queries, act: Act) => {
    const codes = await renewRecoveryCodes(queries, act.session.user.id)
    await addActEvent(queries, act, 'user.recovery_codes_made')
    return codes
  }
  return {
    async offer({ session: { user } }) {
      const secret = createTotpSecret()
      if (!(await totp.offer(user.id, secret)))
        throw unfulfilled('You have an authenticator app already. Remove it first.')
      return { secret, uri: totpUri(secret, { issuer, email: user.email }) }
    },
    async confirm(act, code) {
      const { id } = act.session.user
      await throttle.totp(id)
      const secret = await totp.secretOf(id, { isConfirmed: false })
      if (secret === null) throw unfulfilled('There is no authenticator app to confirm. Begin again.')
      const step = await stepOfCode(secret, code, timeOfDay.epochMs())
      if (step === null) throw wrongInput('code', 'is not the code that the app shows now')
      return database.transaction(async (queries) => {
        await lockOwnAccount(queries, act)
        if (!(await totp.confirm(queries, id, step)))
          throw unfulfilled('There is no authenticator app to confirm. Begin again.')
        await addActEvent(queries, act, 'user.totp_added')
        return newCodes(queries, act)
      })
    },
    async remove(act) {
      const { id } = act.session.user
      await database.transaction(async (queries) => {
        const account = await lockOwnAccount(queries, act)
        if (!(await totp.remove(queries, id)))
          throw new ServiceError('not_found', 'You have no authenticator app.')
        if (account.passkeys === 0) await voidRecoveryCodes(queries, id)
        await addActEvent(queries, act, 'user.totp_removed')
      })
    },
    renewRecoveryCodes: (act) =>
      database.transaction(async (queries) => {
        const account = await lockOwnAccount(queries, act)
        if (!account.hasTotp && account.passkeys === 0)
          throw unfulfilled('Add an authenticator app or a passkey first: recovery codes stand in for those.')
        return newCodes(queries, act)
      }),
  }
}

function unfulfilled(words: string): ServiceError {
  return new ServiceError('unfulfilled_condition', words)
}
