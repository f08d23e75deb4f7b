import type { NewPasskey } from '../../../../contract/dashboard/people/passkey.ts'
import { isConflict } from '../../../platform/database/sql-state.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { Ceremonies } from '../passkeys/ceremonies.ts'
import type { ListedPasskey, PasskeyStore } from '../passkeys/passkey-store.ts'
import { renewRecoveryCodes, voidRecoveryCodes } from '../second-factors/recovery-code-store.ts'
import type { Act, AddActEvent } from '../user-events.ts'
import { wrongInput } from '../wrong-input.ts'
import type { LockOwnAccount } from './lock-own-account.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  lockOwnAccount: LockOwnAccount
  passkeys: PasskeyStore
  ceremonies: Pick<Ceremonies, 'optionsToMake' | 'registered'>
  createId: CreateId
  addActEvent: AddActEvent
}

/** A passkey that was just added, with recovery codes where the person had none; those are shown this once. */
interface MadePasskey {
  id: string
  name: string
  createdAt: Date
  recoveryCodes: string[] | null
}

const MAX_PASSKEYS = 20

/** What a person who is signed in does with their own passkeys. */
export interface OwnPasskeys {
  list: (act: Act) => Promise<ListedPasskey[]>
  options: (act: Act) => ReturnType<Ceremonies['optionsToMake']>
  /** Throws `validation_error` for a response that is not good, or of a passkey that is here already. */
  add: (act: Act, passkey: NewPasskey) => Promise<MadePasskey>
  /** Throws `not_found` for a passkey that is not the person's. */
  remove: (act: Act, passkeyId: string) => Promise<void>
}

export function createOwnPasskeys(parts: Parts): OwnPasskeys {
  const { database, lockOwnAccount, passkeys, ceremonies, createId, addActEvent } = parts
  const list = ({ session }: Act) => passkeys.list(session.user.id)

  const store = async (act: Act, passkey: Parameters<PasskeyStore['add']>[1]) => {
    const { id, name, userId } = passkey
    return database.transaction(async (queries) => {
      const hasCodes = (await lockOwnAccount(queries, act)).recoveryCodesLeft > 0
      const createdAt = await passkeys.add(queries, passkey)
      if (createdAt === undefined) throw new Error('the passkey that was just added is not there')
      await addActEvent(queries, act, 'user.passkey_added', { passkey_id: id, name })
      if (hasCodes) return { id, name, createdAt, recoveryCodes: null }
      const recoveryCodes = await renewRecoveryCodes(queries, userId)
      await addActEvent(queries, act, 'user.recovery_codes_made')
      return { id, name, createdAt, recoveryCodes }
    })
  }

  return {
    list,
    options: async (act) => ceremonies.optionsToMake(act.session.user, await list(act)),
    async add(act, { name, response }) {
      const { user } = act.session
      if ((await list(act)).length >= MAX_PASSKEYS)
        throw new ServiceError(
          'unfulfilled_condition',
          `You can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
        )
      const credential = await ceremonies.registered(user, response)
      if (credential === null) throw wrongInput('response', 'could not be checked; try again')
      return store(act, { id: createId(), userId: user.id, name, ...credential }).catch((error: unknown) => {
        throw isConflict(error, 'passkeys_by_credential') ? wrongInput('response', 'is here already') : error
      })
    },
    async remove(act, passkeyId) {
      const { id } = act.session.user
      await database.transaction(async (queries) => {
        const account = await lockOwnAccount(queries, act)
        const isLastFactor = account.passkeys === 1 && !account.hasTotp
        const name = await passkeys.remove(queries, id, passkeyId)
        if (name === null) throw new ServiceError('not_found', 'You have no such passkey.')
        if (isLastFactor) await voidRecoveryCodes(queries, id)
        await addActEvent(queries, act, 'user.passkey_removed', { passkey_id: passkeyId, name })
      })
    },
  }
}
