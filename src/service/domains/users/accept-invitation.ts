import type { InvitationAcceptance } from '../../../contract/dashboard/people/team.ts'
import type { Queries } from '../../platform/database/database.ts'
import { isConflict } from '../../platform/database/faults.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { addUser, findAccount, setPassword } from './account-store.ts'
import { FIRST_TIME_ZONE } from './account.ts'
import type { Account } from './account.ts'
import type { UsersDeps } from './deps.ts'
import { lockInvitation, takeInvitation } from './invitation-store.ts'
import type { Invitation } from './invitation-store.ts'
import { invalidInvitation, readInvitation } from './invitations.ts'
import { hashChosenPassword } from './passwords.ts'
import { endSessionsOfUser } from './session-store.ts'
import { checkPassword, signInAfterPassword, wrongEmailOrPassword } from './sign-in.ts'
import type { SignedIn } from './sign-in.ts'
import type { Requester } from './user-context.ts'
import { addUserEvent, factsOf } from './user-events.ts'

/**
 * Signs in by an invitation's link, and joins the team once every factor is given; or sets a new password after a reset.
 * `oldToken` is the cookie's.
 */
export async function acceptInvitation(
  deps: UsersDeps,
  request: InvitationAcceptance,
  requester: Requester,
  oldToken: string | null,
): Promise<SignedIn> {
  const invitation = await readInvitation(deps.database, request.token)
  const { apply, ...who } = await planAcceptance(deps, { invitation, request, requester })
  const { merchantId } = invitation
  const accepted = deps.database.transaction(async (queries) => {
    if (!(await lockInvitation(queries, invitation.id))) throw invalidInvitation()
    await apply(queries)
    const signedIn = await signInAfterPassword(deps, queries, { ...who, merchantId, requester, oldToken })
    if (signedIn === null) throw wrongEmailOrPassword()
    return signedIn
  })
  return accepted.catch((error: unknown) => {
    throw isConflict(error, 'users_by_email') ? accountMeanwhile() : error
  })
}

interface Accepting {
  invitation: Invitation
  request: InvitationAcceptance
  requester: Requester
}

/** Whom a link signs in, and what it changes. */
interface Acceptance {
  account: Account
  /** The invitation for the sign-in to use up; null if `apply` does that. */
  invitationId: string | null
  /** Makes the changes, within the transaction of the sign-in. */
  apply: (queries: Queries) => Promise<void>
}

/** Checks the name and password, and throws what is wrong with them. Changes nothing itself. */
function planAcceptance(deps: UsersDeps, accepting: Accepting): Promise<Acceptance> {
  const { resetsUserId, userId } = accepting.invitation
  if (resetsUserId !== null) return bySettingPassword(deps, resetsUserId, accepting)
  return userId === null ? byNewAccount(deps, accepting) : byOwnAccount(deps, accepting)
}

/** A person without an account chooses a name and a password. */
async function byNewAccount(deps: UsersDeps, { request, invitation }: Accepting): Promise<Acceptance> {
  const { name, password } = request
  const { id: invitationId, email, merchantId } = invitation
  if (name === undefined) throw invalidField('name', 'is required')
  const passwordHash = await hashChosenPassword(deps, password, {
    email,
    path: 'password',
    who: invitationId,
  })
  const person = { id: deps.createId(), email, name, timeZone: FIRST_TIME_ZONE, passwordHash }
  return {
    account: { ...person, merchantId, hasTotp: false, passkeys: 0, recoveryCodesLeft: 0 },
    invitationId,
    apply: (queries) => addUser(queries, person),
  }
}

/** A person with an account gives its password: the link alone opens no existing account. */
async function byOwnAccount(
  deps: UsersDeps,
  { invitation: { id, email }, request: { password }, requester }: Accepting,
): Promise<Acceptance> {
  const account = await checkPassword(deps, { email, password }, requester)
  return { account, invitationId: id, apply: () => Promise.resolve() }
}

/** A person whose account was reset by an operator chooses a new password. */
async function bySettingPassword(
  deps: UsersDeps,
  userId: string,
  { invitation, request, requester }: Accepting,
): Promise<Acceptance> {
  const account = await findAccount(deps.database, userId)
  if (account === null) throw invalidInvitation()
  const { email } = account
  const passwordHash = await hashChosenPassword(deps, request.password, {
    email,
    path: 'password',
    who: userId,
  })
  return {
    account: { ...account, passwordHash },
    invitationId: null,
    async apply(queries) {
      await takeInvitation(queries, invitation.id)
      await setPassword(queries, userId, passwordHash)
      const ended = await endSessionsOfUser(queries, userId)
      await addUserEvent(deps, queries, {
        merchantId: invitation.merchantId,
        type: 'user.password_changed',
        subject: userId,
        actor: actorOf({ user: { id: userId } }),
        facts: { ...factsOf(requester), sessions_ended: ended },
      })
    },
  }
}

/** The person has followed two merchants' links at the same time. */
function accountMeanwhile(): ServiceError {
  const words = 'You have had an account since just now. Load this page again and give its password.'
  return new ServiceError('unfulfilled_condition', words)
}
