import type { NewPasskey } from '../../../contract/dashboard/people/passkey.ts'
import { isConflict } from '../../platform/database/faults.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { lockOwnAccount } from './accounts.ts'
import type { UsersDeps } from './deps.ts'
import { addPasskey, listPasskeys, removePasskey } from './passkey-store.ts'
import type { NewPasskey as StoredPasskey } from './passkey-store.ts'
import { makeRecoveryCodes } from './second-factors.ts'
import { voidRecoveryCodes } from './second-factor-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'
import { optionsToRegister, verifyRegistration } from './webauthn.ts'
import type { PublicKeyOptions } from './webauthn.ts'

/** A passkey that was just added, with recovery codes if the person had none. They are shown this once. */
export interface AddedPasskey {
  id: string
  name: string
  createdAt: Date
  recoveryCodes: string[] | null
}

const MAX_PASSKEYS = 20

/** What a browser needs to make a passkey for the signed-in person. */
export async function passkeyOptions(
  deps: UsersDeps,
  { session: { user } }: UserContext,
): Promise<PublicKeyOptions> {
  return optionsToRegister(deps, user, await listPasskeys(deps.database, user.id))
}

/** Throws `validation_error` for an invalid response, or one of a passkey that is here already. */
export async function addOwnPasskey(
  deps: UsersDeps,
  context: UserContext,
  { name, response }: NewPasskey,
): Promise<AddedPasskey> {
  const { id: userId } = context.session.user
  if ((await listPasskeys(deps.database, userId)).length >= MAX_PASSKEYS)
    throw new ServiceError(
      'unfulfilled_condition',
      `You can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
    )
  const credential = await verifyRegistration(deps, userId, response)
  if (credential === null) throw invalidField('response', 'could not be checked; try again')
  const passkey = { id: deps.createId(), userId, name, ...credential }
  return storePasskey(deps, context, passkey).catch((error: unknown) => {
    throw isConflict(error, 'passkeys_by_credential') ? invalidField('response', 'is here already') : error
  })
}

async function storePasskey(
  deps: UsersDeps,
  context: UserContext,
  passkey: StoredPasskey,
): Promise<AddedPasskey> {
  const { id, name } = passkey
  return deps.database.transaction(async (queries) => {
    const hasCodes = (await lockOwnAccount(queries, context)).recoveryCodesLeft > 0
    const createdAt = await addPasskey(queries, passkey)
    if (createdAt === undefined) throw new Error('the passkey that was just added is not there')
    await addEventBy(deps, queries, context, 'user.passkey_added', { passkey_id: id, name })
    const recoveryCodes = hasCodes ? null : await makeRecoveryCodes(deps, queries, context)
    return { id, name, createdAt, recoveryCodes }
  })
}

/** Throws `not_found` for a passkey that is not the person's. */
export async function removeOwnPasskey(
  deps: UsersDeps,
  context: UserContext,
  passkeyId: string,
): Promise<void> {
  const { id } = context.session.user
  await deps.database.transaction(async (queries) => {
    const account = await lockOwnAccount(queries, context)
    const isLastFactor = account.passkeys === 1 && !account.hasTotp
    const name = await removePasskey(queries, id, passkeyId)
    if (name === null) throw new ServiceError('not_found', 'You have no such passkey.')
    if (isLastFactor) await voidRecoveryCodes(queries, id)
    await addEventBy(deps, queries, context, 'user.passkey_removed', { passkey_id: passkeyId, name })
  })
}
