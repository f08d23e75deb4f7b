import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { SecondFactor } from '../../../contract/dashboard/people/sign-in.ts'
import type { Queries } from '../../platform/database/database.ts'
import { FIRST_TIME_ZONE, secondFactorsOf } from './account.ts'
import type { Account } from './account.ts'
import {
  addUser,
  findAccountByEmail,
  listUsers,
  lockAccount,
  merchantsOfUser,
  removeUser,
  setPassword,
} from './account-store.ts'
import type { AdministrationDeps } from './deps.ts'
import { endResetLinks, revokeInvitationsTo } from './invitation-store.ts'
import type { RevokedInvitation } from './invitation-store.ts'
import { makeInvitation, recordRevoked, revokeSentInvitations } from './invitations.ts'
import type { MadeInvitation } from './invitations.ts'
import { addMember, hasMember, lockOwners, removeMember } from './member-store.ts'
import { removePasskeysOfUser } from './passkey-store.ts'
import { createPasswordHashes } from './password-hashes.ts'
import { removeTotpSecret, voidRecoveryCodes } from './second-factor-store.ts'
import { endSessionsOfUser } from './session-store.ts'
import { addUserEvent } from './user-events.ts'

interface NewOwner {
  merchantId: string
  email: string
  name: string
  password: string
}

/** What a reset changed, and the link to set a new password. */
interface ResetAccount extends MadeInvitation {
  /** The open invitations that the person had sent. */
  revoked: readonly RevokedInvitation[]
  /** The second factors that are left: a passkey signs in by itself. */
  secondFactorsKept: readonly SecondFactor[]
}

/** `actor` stands in the audit log. */
interface OperatorDeps extends AdministrationDeps {
  actor: Actor
}

export type Administration = ReturnType<typeof createAdministration>

/** What operators do with the dashboard's people. E-mail addresses are in lower case. */
export function createAdministration(deps: OperatorDeps) {
  const { database, actor } = deps
  const find = (email: string, queries: Queries = database): Promise<Account | null> =>
    findAccountByEmail(queries, email, [])
  return {
    list: () => listUsers(database),
    isKnown: async (email: string): Promise<boolean> => (await find(email)) !== null,
    /** Makes a link by which a person joins a merchant's team. */
    invite: (
      merchantId: string,
      email: string,
      role: Role,
    ): Promise<MadeInvitation | 'no_merchant' | 'in_team_already'> =>
      database.transaction(async (queries) => {
        if (await hasMember(queries, merchantId, email)) return 'in_team_already'
        const made = await makeInvitation(deps, queries, { merchantId, email, role })
        if (made === null) return 'no_merchant'
        const event = { merchantId, type: 'member.invited', subject: made.id, actor } as const
        await addUserEvent(deps, queries, { ...event, facts: { email, role } })
        return made
      }),
    addOwner: (owner: NewOwner): Promise<void> => addOwner(deps, owner),
    /**
     * Removes a person at once, with every open invitation to that address. Returns the merchants that are left without an
     * owner; null for an address that has neither.
     */
    remove: (email: string): Promise<{ withoutOwner: string[] } | null> =>
      database.transaction(async (queries) => {
        // Waits for those who are accepting an invitation now, so that their new accounts are removed, too.
        const revoked = await revokeInvitationsTo(queries, email)
        await recordRevoked(deps, queries, revoked, actor)
        const account = await find(email, queries)
        if (account === null) return revoked.length > 0 ? { withoutOwner: [] } : null
        return { withoutOwner: await removeAccount(deps, queries, account.id) }
      }),
    /**
     * Ends a person's password, sessions and sent invitations, and on request the second factors. Returns a link to set a new
     * password; null for a person who is unknown or in no team.
     */
    reset: async (
      email: string,
      { secondFactors }: { secondFactors: boolean },
    ): Promise<ResetAccount | null> => {
      const account = await find(email)
      if (account === null) return null
      const [team] = (await merchantsOfUser(database, account.id)).filter(
        ({ id }) => id === account.merchantId,
      )
      if (team === undefined) return null
      return database.transaction((queries) => resetAccount(deps, queries, { account, team, secondFactors }))
    },
  }
}

interface CommandDeps extends Pick<AdministrationDeps, 'database' | 'createId' | 'dashboardUrl'> {
  actor: Actor
}

/** The same for a command that runs beside the service. */
export function openAdministration(deps: CommandDeps): Administration {
  return createAdministration({ ...deps, hashes: createPasswordHashes() })
}

/** Makes a person with a password, who is an owner. */
async function addOwner(deps: OperatorDeps, owner: NewOwner): Promise<void> {
  const { merchantId, email, name, password } = owner
  const { actor } = deps
  const passwordHash = await deps.hashes.hash(password, { who: actor, isKnown: true })
  const id = deps.createId()
  await deps.database.transaction(async (queries) => {
    await addUser(queries, { id, email, name, timeZone: FIRST_TIME_ZONE, passwordHash })
    await addMember(queries, merchantId, id, 'owner')
    const event = { merchantId, type: 'member.joined', subject: id, actor } as const
    await addUserEvent(deps, queries, { ...event, facts: { role: 'owner' } })
  })
}

/** Sessions, factors and memberships go with the account. Its events stay, and each merchant keeps the name. */
async function removeAccount(deps: OperatorDeps, queries: Queries, id: string): Promise<string[]> {
  const { actor } = deps
  // Sign-in locks in this order, too: first the account, then memberships.
  await lockAccount(queries, id)
  const withoutOwner: string[] = []
  for (const { id: merchantId } of await merchantsOfUser(queries, id)) {
    const owners = await lockOwners(queries, merchantId)
    if (owners.length === 1 && owners[0] === id) withoutOwner.push(merchantId)
    await removeMember(queries, merchantId, id)
    await addUserEvent(deps, queries, { merchantId, type: 'member.removed', subject: id, actor, facts: {} })
  }
  // After the owners are locked, because invitations under way are in the table by then.
  await revokeSentInvitations(deps, queries, id, actor)
  await removeUser(queries, id)
  await addUserEvent(deps, queries, { merchantId: '', type: 'user.removed', subject: id, actor, facts: {} })
  return withoutOwner
}

interface Reset {
  account: Account
  team: { id: string; role: Role }
  secondFactors: boolean
}

async function resetAccount(
  deps: OperatorDeps,
  queries: Queries,
  { account: { id, email }, team, secondFactors }: Reset,
): Promise<ResetAccount> {
  const { actor } = deps
  const account = await lockAccount(queries, id)
  if (account === null) throw new Error('the account was removed since it was found')
  // Changes that the person is making to a team end before this, or fail because the session has ended.
  for (const { id: merchantId } of await merchantsOfUser(queries, id)) await lockOwners(queries, merchantId)
  await setPassword(queries, id, null)
  const ended = await endSessionsOfUser(queries, id)
  if (secondFactors) {
    await removeTotpSecret(queries, id)
    await removePasskeysOfUser(queries, id)
    await voidRecoveryCodes(queries, id)
  }
  const facts = { sessions_ended: ended, second_factors_removed: secondFactors }
  await addUserEvent(deps, queries, { merchantId: team.id, type: 'user.reset', subject: id, actor, facts })
  const revoked = await revokeSentInvitations(deps, queries, id, actor)
  await endResetLinks(queries, id)
  const wanted = { merchantId: team.id, email, role: team.role, resetsUserId: id }
  const made = await makeInvitation(deps, queries, wanted)
  if (made === null) throw new Error('the merchant of a membership is gone')
  return { ...made, revoked, secondFactorsKept: secondFactors ? [] : secondFactorsOf(account) }
}
