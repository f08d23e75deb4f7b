import type { PasswordChange } from '../../../../contract/dashboard/people/user-settings.ts'
import type { Database } from '../../../platform/database/database.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import type { AccountStore } from '../account-store.ts'
import type { ChoosePassword } from '../passwords/choose-password.ts'
import type { PasswordHashes } from '../passwords/hash-passwords.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import type { Act, AddActEvent } from '../user-events.ts'
import { wrongInput } from '../wrong-input.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  accounts: Pick<AccountStore, 'find' | 'changePassword'>
  hashes: Pick<PasswordHashes, 'matches'>
  choose: ChoosePassword
  sessions: Pick<SessionChanges, 'confirm' | 'renew' | 'endAll'>
  throttle: Pick<Throttle, 'passwordAgain'>
  addActEvent: AddActEvent
}

/** What a person who is signed in does with the own password. */
export interface OwnPassword {
  /** Gives it once more; until when acts that need it fresh are open. Throws `validation_error` for a wrong one. */
  confirm: (act: Act, password: string) => Promise<Date>
  /** Changes it: every other session of the person ends, and this one goes on under the token that is returned. */
  change: (act: Act, change: PasswordChange) => Promise<string>
}

export function createOwnPassword(parts: Parts): OwnPassword {
  const { database, accounts, hashes, choose, sessions, throttle, addActEvent } = parts

  /** The hash of the right password; a wrong one is kept as tried. `path`: its field, for the words beside it. */
  const checked = async (act: Act, password: string, path: string): Promise<string> => {
    const { id } = act.session.user
    await throttle.passwordAgain(id)
    const kept = (await accounts.find(id))?.passwordHash ?? null
    if ((await hashes.matches(kept, password, { who: id, isKnown: true })) && kept !== null) return kept
    await database.transaction((queries) => addActEvent(queries, act, 'user.password_refused'))
    throw wrongInput(path, 'is not your password')
  }

  return {
    async confirm(act, password) {
      await checked(act, password, 'password')
      return database.transaction(async (queries) => {
        const freshUntil = await sessions.confirm(queries, act.session.sessionId)
        if (freshUntil === null) throw notSignedIn()
        await addActEvent(queries, act, 'user.password_confirmed')
        return freshUntil
      })
    },
    async change(act, { old, new: chosen }) {
      const { sessionId, user } = act.session
      const oldHash = await checked(act, old, 'old')
      if (old === chosen) throw wrongInput('new', 'is the password that you have')
      const newHash = await choose(chosen, user, 'new', user.id)
      return database.transaction(async (queries) => {
        if (!(await accounts.changePassword(queries, user.id, oldHash, newHash)))
          throw wrongInput('old', 'is not your password any more')
        const renewed = await sessions.renew(queries, sessionId)
        if (renewed === null) throw notSignedIn()
        const ended = await sessions.endAll(queries, user.id, renewed.sessionId)
        await addActEvent(queries, act, 'user.password_changed', { sessions_ended: ended })
        return renewed.token
      })
    },
  }
}
