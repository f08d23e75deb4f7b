import type { PasskeyView } from '../../../../contract/dashboard/people/passkey.ts'
import type { SessionEntry, SessionView } from '../../../../contract/dashboard/people/session-view.ts'
import type { InvitationView, MemberView, NamedPerson } from '../../../../contract/dashboard/people/team.ts'
import type { Account } from '../account.ts'
import type { ListedPasskey } from '../passkeys/passkey-store.ts'
import type { Session } from '../../../platform/http/callers/session.ts'
import type { ListedSession } from '../sessions/session-reads.ts'
import type { ListedInvitation } from '../team/invitation-store.ts'
import type { Member, NamedPerson as KeptPerson } from '../team/member-store.ts'

interface Around {
  account: Account
  merchants: SessionView['merchants']
  environment: string
  serviceUrl: string
}

export function toSessionView(session: Session, around: Around): SessionView {
  const { role, merchantId, freshUntil } = session
  const { account, merchants, environment, serviceUrl } = around
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

export function toMemberView({ id, email, name, role, hasSecondFactor, seenAt }: Member): MemberView {
  const last_seen_at = seenAt?.toISOString() ?? null
  return { id, email, name, role, has_second_factor: hasSecondFactor, last_seen_at }
}

export function toNamedPerson({ id, name, isFormer }: KeptPerson): NamedPerson {
  return { id, name, is_former: isFormer }
}

export function toInvitationView(invitation: ListedInvitation): InvitationView {
  const { id, email, role, createdAt, endsAt, invitedBy } = invitation
  const times = { created_at: createdAt.toISOString(), expires_at: endsAt.toISOString() }
  return { id, email, role, ...times, invited_by: invitedBy }
}
