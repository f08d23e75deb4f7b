import type { PasskeySignIn } from '../../../../contract/dashboard/people/passkey.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { AccountStore } from '../account-store.ts'
import type { Ceremonies } from '../passkeys/ceremonies.ts'
import type { PasskeyStore } from '../passkeys/passkey-store.ts'
import type { SessionReads } from '../sessions/session-reads.ts'
import type { Caller } from '../user-events.ts'
import { wrongPasskey } from './failed-sign-in.ts'
import type { RecordFailure } from './failed-sign-in.ts'
import type { LetIn, SignedIn } from './let-in.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  accounts: Pick<AccountStore, 'find'>
  passkeys: Pick<PasskeyStore, 'ofCredential' | 'list' | 'recordUse'>
  ceremonies: Pick<Ceremonies, 'optionsToSignIn' | 'signedIn'>
  sessions: Pick<SessionReads, 'findUnfinished'>
  letIn: Pick<LetIn, 'withPasskey'>
  recordFailure: RecordFailure
}

/** Signing in by passkey: alone, or as the second factor after the password. `token` is what the cookie holds. */
export interface PasskeySignIns {
  /** What to ask a passkey for. Which ones there are is told only after the right password. */
  options: (token: string | null) => ReturnType<Ceremonies['optionsToSignIn']>
  /** Throws `unauthorized` for every response that is not good. */
  signIn: (token: string | null, response: PasskeySignIn['response'], caller: Caller) => Promise<SignedIn>
}

export function createPasskeySignIns(parts: Parts): PasskeySignIns {
  const { database, accounts, passkeys, ceremonies, sessions, letIn, recordFailure } = parts
  const unfinished = (token: string | null) => (token === null ? null : sessions.findUnfinished(token))
  return {
    async options(token) {
      const session = await unfinished(token)
      return ceremonies.optionsToSignIn(session === null ? [] : await passkeys.list(session.userId))
    },
    async signIn(token, response, caller) {
      const passkey = await passkeys.ofCredential(response.id)
      const account = passkey === null ? null : await accounts.find(passkey.userId)
      const counter = passkey === null ? null : await ceremonies.signedIn(passkey, response)
      const session = await unfinished(token)
      const hasPassword = session !== null && session.userId === account?.id
      const merchantId = hasPassword ? session.merchantId : (account?.merchantId ?? null)
      const invitationId = hasPassword ? session.invitationId : null
      const person = { caller, oldToken: token, hasPassword, invitationId }
      const signedIn = await database.transaction(async (queries) => {
        if (passkey === null || account === null || counter === null || merchantId === null) return null
        if (!(await passkeys.recordUse(queries, passkey.id, counter))) return null
        return letIn.withPasskey(queries, { account, merchantId, ...person })
      })
      if (signedIn !== null) return signedIn
      await recordFailure(account, caller, 'passkey')
      throw wrongPasskey()
    },
  }
}
