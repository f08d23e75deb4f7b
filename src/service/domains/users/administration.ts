import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { SecondFactor } from '../../../contract/dashboard/people/sign-in.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { FIRST_TIME_ZONE, secondFactorsOf } from './account.ts'
import type { Account } from './account.ts'
import type { ListedUser } from './account-store.ts'
import type { PasswordHashes } from './passwords/hash-passwords.ts'
import { voidRecoveryCodes } from './second-factors/recovery-code-store.ts'
import type { Stores } from './stores.ts'
import type { RevokedInvitation } from './team/invitation-store.ts'
import { recordRevoked, revokeInvitationsBy } from './team/revoke-invitations.ts'
import type { Invite, MadeInvitation } from './team/invite.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createPasswordHashes } from './passwords/hash-passwords.ts'
import { createStores } from './stores.ts'
import { createInvite } from './team/invite.ts'

interface NewOwner {
  merchantId: string
  email: string
  name: string
  password: string
}

/** What operators do with people who sign in, without being one of them. E-mail addresses are in lower case. */
export interface Administration {
  /** A link by which a person joins a merchant's team. */
  invite: (
    merchantId: string,
    email: string,
    role: Role,
  ) => Promise<MadeInvitation | 'no_merchant' | 'in_team_already'>
  list: () => Promise<ListedUser[]>
  /**
   * Removes a person at once, with every open invitation to that address. Returns the merchants that are left without an owner;
   * null for an address that has neither an account nor an invitation.
   */
  remove: (email: string) => Promise<{ withoutOwner: string[] } | null>
  /**
   * Ends a person's password and sessions, the invitations that the person has made, and the second factors too where asked; a
   * link to set a new password. Null for a person who is unknown or in no team.
   */
  reset: (email: string, and: { secondFactors: boolean }) => Promise<ResetAccount | null>
  isKnown: (email: string) => Promise<boolean>
  /** Makes a person with this password, as an owner. */
  addOwner: (owner: NewOwner) => Promise<void>
}

/** What a reset came to, with the link to set a new password. */
export interface ResetAccount extends MadeInvitation {
  /** The person's open invitations, which the reset has revoked. */
  revoked: readonly RevokedInvitation[]
  /** Second factors that were left: a passkey signs in by itself. */
  secondFactorsKept: readonly SecondFactor[]
}

interface Parts {
  database: Pick<Database, 'transaction'>
  stores: Stores
  invite: Invite
  hashes: Pick<PasswordHashes, 'hash'>
  createId: CreateId
  /** For the audit log. */
  actor: Actor
}

export function createAdministration(parts: Parts): Administration {
  const { database, stores, invite, hashes, createId, actor } = parts
  const { accounts, members, addEvent } = stores
  /** Nobody's network: operators have none. */
  const find = (email: string): Promise<Account | null> => accounts.ofEmail(email, [])
  return {
    invite: (merchantId, email, role) =>
      database.transaction(async (queries) => {
        if (await members.hasEmail(queries, merchantId, email)) return 'in_team_already'
        const made = await invite(queries, { merchantId, email, role })
        if (made === null) return 'no_merchant'
        const event = { merchantId, type: 'member.invited', subject: made.id, actor } as const
        await addEvent(queries, { ...event, facts: { email, role } })
        return made
      }),
    list: accounts.list,
    remove: (email) =>
      database.transaction(async (queries) => {
        // Waits for those who follow an invitation just now: what they have become is removed, too.
        const revoked = await stores.invitations.revokeAllTo(queries, email)
        await recordRevoked(parts, queries, revoked)
        const account = await accounts.ofEmail(email, [], queries)
        if (account === null) return revoked.length > 0 ? { withoutOwner: [] } : null
        return { withoutOwner: await removeAccount(parts, queries, account.id) }
      }),
    async reset(email, { secondFactors }) {
      const account = await find(email)
      if (account === null) return null
      const [team] = (await accounts.merchantsOf(account.id)).filter(({ id }) => id === account.merchantId)
      if (team === undefined) return null
      return database.transaction((queries) => resetAccount(parts, queries, { account, team, secondFactors }))
    },
    isKnown: async (email) => (await find(email)) !== null,
    async addOwner({ merchantId, email, name, password }) {
      const passwordHash = await hashes.hash(password, { who: actor, isKnown: true })
      const id = createId()
      await database.transaction(async (queries) => {
        await accounts.add(queries, { id, email, name, timeZone: FIRST_TIME_ZONE, passwordHash })
        await members.add(queries, merchantId, id, 'owner')
        const event = { merchantId, type: 'member.joined', subject: id, actor } as const
        await addEvent(queries, { ...event, facts: { role: 'owner' } })
      })
    },
  }
}

/** Their sessions, factors and memberships go with them; the events that they wrote stay, and at each merchant their name. */
async function removeAccount(parts: Parts, queries: Queries, id: string): Promise<string[]> {
  const { stores, actor } = parts
  const { accounts, members, addEvent } = stores
  // Before the owners, as signing in does, which then marks its membership.
  await accounts.lock(queries, id)
  const withoutOwner: string[] = []
  for (const { id: merchantId } of await accounts.merchantsOf(id, queries)) {
    const owners = await members.lockOwners(queries, merchantId)
    if (owners.length === 1 && owners[0] === id) withoutOwner.push(merchantId)
    await members.remove(queries, merchantId, id)
    await addEvent(queries, { merchantId, type: 'member.removed', subject: id, actor, facts: {} })
  }
  // Once the owners are locked: an invitation that was under way has been made by then.
  await revokeInvitationsBy(parts, queries, id)
  await accounts.remove(queries, id)
  await addEvent(queries, { merchantId: '', type: 'user.removed', subject: id, actor, facts: {} })
  return withoutOwner
}

interface Reset {
  account: Account
  team: { id: string; role: Role }
  secondFactors: boolean
}

async function resetAccount(
  parts: Parts,
  queries: Queries,
  { account: { id, email }, team, secondFactors }: Reset,
): Promise<ResetAccount> {
  const { stores, invite, actor } = parts
  const { accounts, members, sessionChanges, invitations, totp, passkeys, addEvent } = stores
  const account = await accounts.lock(queries, id)
  if (account === null) throw new Error('the account was removed since it was found')
  // What the person does with a team meanwhile is done before, or finds its session ended.
  for (const { id: merchantId } of await accounts.merchantsOf(id, queries))
    await members.lockOwners(queries, merchantId)
  await accounts.setPassword(queries, id, null)
  const ended = await sessionChanges.endAll(queries, id)
  if (secondFactors) {
    await totp.remove(queries, id)
    await passkeys.removeAll(queries, id)
    await voidRecoveryCodes(queries, id)
  }
  const facts = { sessions_ended: ended, second_factors_removed: secondFactors }
  await addEvent(queries, { merchantId: team.id, type: 'user.reset', subject: id, actor, facts })
  const revoked = await revokeInvitationsBy(parts, queries, id)
  await invitations.endResets(queries, id)
  const made = await invite(queries, { merchantId: team.id, email, role: team.role, resetsUserId: id })
  if (made === null) throw new Error('the merchant of a membership is gone')
  return { ...made, revoked, secondFactorsKept: secondFactors ? [] : secondFactorsOf(account) }
}

interface Needs extends Pick<Platform, 'database' | 'createId' | 'textVault'> {
  writeEvent: WriteEvent
  dashboardUrl: string
  actor: Actor
}

/** What operators do with people who sign in, beside a running service. */
export function openAdministration(needs: Needs): Administration {
  const { database, createId, writeEvent, dashboardUrl, actor } = needs
  const stores = createStores(needs, writeEvent)
  const invite = createInvite({ store: stores.invitations, createId, dashboardUrl })
  return createAdministration({ database, stores, invite, hashes: createPasswordHashes(), createId, actor })
}
