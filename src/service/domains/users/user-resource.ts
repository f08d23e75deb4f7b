import type { MadePasskey, PasskeyView } from '../../../contract/dashboard/people/passkey.ts'
import type { SessionEntry, SessionView } from '../../../contract/dashboard/people/session-view.ts'
import type {
  InvitationOffer,
  InvitationView,
  MemberView,
  NamedPerson,
} from '../../../contract/dashboard/people/team.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import type { Account } from './account.ts'
import type { Invitation, ListedInvitation } from './invitation-store.ts'
import type { Member, NamedPerson as StoredPerson } from './member-store.ts'
import type { ListedPasskey } from './passkey-store.ts'
import type { AddedPasskey } from './passkeys.ts'
import type { ListedSession } from './session-store.ts'

interface Surroundings {
  account: Account
  merchants: SessionView['merchants']
  environment: string
  serviceUrl: string
}

export function toSessionView(session: Session, surroundings: Surroundings): SessionView {
  const { role, merchantId, freshUntil } = session
  const { account, merchants, environment, serviceUrl } = surroundings
  const { id, email, name } = account
  return {
    user: {
      id,
      email,
      name,
      role,
      has_totp: account.hasTotp,
      passkeys: account.passkeys,
      recovery_codes_left: account.recoveryCodesLeft,
    },
    merchant: { id: merchantId, name: merchants.find((one) => one.id === merchantId)?.name ?? '' },
    merchants,
    fresh_until: freshUntil?.toISOString() ?? null,
    time_zone: account.timeZone,
    environment,
    service_url: serviceUrl,
  }
}

export function toSessionEntry(
  { id, createdAt, seenAt, address, userAgent }: ListedSession,
  currentId: string,
): SessionEntry {
  return {
    id,
    created_at: createdAt.toISOString(),
    seen_at: seenAt.toISOString(),
    address,
    user_agent: userAgent,
    is_current: id === currentId,
  }
}

export function toPasskeyView({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Pick<ListedPasskey, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>): PasskeyView {
  return { id, name, created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null }
}

/** A passkey that was just added. Its recovery codes are shown this once. */
export function toMadePasskey({ recoveryCodes, ...passkey }: AddedPasskey): MadePasskey {
  return { ...toPasskeyView({ ...passkey, lastUsedAt: null }), recovery_codes: recoveryCodes }
}

export function toMemberView({ id, email, name, role, hasSecondFactor, seenAt }: Member): MemberView {
  const last_seen_at = seenAt?.toISOString() ?? null
  return { id, email, name, role, has_second_factor: hasSecondFactor, last_seen_at }
}

export function toNamedPerson({ id, name, isFormer }: StoredPerson): NamedPerson {
  return { id, name, is_former: isFormer }
}

export function toInvitationView(invitation: ListedInvitation): InvitationView {
  const { id, email, role, createdAt, endsAt, invitedBy } = invitation
  const times = { created_at: createdAt.toISOString(), expires_at: endsAt.toISOString() }
  return { id, email, role, ...times, invited_by: invitedBy }
}

/** What an open invitation's link shows. */
export function toInvitationOffer(invitation: Invitation): InvitationOffer {
  const { merchantName, email, role, userId, resetsUserId } = invitation
  const has_account = userId !== null && resetsUserId === null
  return { merchant: merchantName, email, role, has_account, resets_password: resetsUserId !== null }
}
