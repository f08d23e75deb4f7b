import * as v from 'valibot'
import { Identifier } from '../../api/fields/identifier.ts'
import { Email, KnownPassword, PersonName } from './credentials.ts'
import { Role } from './role.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** A person of a merchant's team; `id` is the person's. */
export const MemberView = v.strictObject({
  id: Identifier,
  email: v.string(),
  name: v.string(),
  role: Role,
  has_second_factor: v.boolean(),
  last_seen_at: v.nullable(timestamp),
})
export type MemberView = v.InferOutput<typeof MemberView>

/** An invitation that was not accepted yet. `invited_by`: a person's name, or null for the service's operator. */
export const InvitationView = v.strictObject({
  id: Identifier,
  email: v.string(),
  role: Role,
  created_at: timestamp,
  expires_at: timestamp,
  invited_by: v.nullable(v.string()),
})
export type InvitationView = v.InferOutput<typeof InvitationView>

/** Answer of `GET /api/team`. */
export const TeamView = v.strictObject({
  members: v.array(MemberView),
  invitations: v.array(InvitationView),
})
export type TeamView = v.InferOutput<typeof TeamView>

/** Somebody who acts or has acted for the merchant, in the answer of `GET /api/people`; members first. */
export const NamedPerson = v.strictObject({
  id: Identifier,
  /** Of a former member the name at the time of leaving. */
  name: v.string(),
  is_former: v.boolean(),
})
export type NamedPerson = v.InferOutput<typeof NamedPerson>

/** Body of `POST /api/team/invitations`. */
export const InvitationRequest = v.strictObject({ email: Email, role: Role })
export type InvitationRequest = v.InferOutput<typeof InvitationRequest>

/** A new invitation; its link is shown this once. */
export const MadeInvitation = v.strictObject({ id: Identifier, link: v.string(), expires_at: timestamp })
export type MadeInvitation = v.InferOutput<typeof MadeInvitation>

/** Body of `PATCH /api/team/members/:id`. */
export const RoleChange = v.strictObject({ role: Role })

const token = v.pipe(
  v.string(),
  v.regex(/^svc_invitation_[\w-]{43}$/, 'must be the part of the link behind #'),
)

/** Body of `POST /api/invitations/read`. */
export const InvitationToken = v.strictObject({ token })

/**
 * What a link is for. `has_account`: the person has a password here and is asked for that one. `resets_password`: the link
 * only sets a new password.
 */
export const InvitationOffer = v.strictObject({
  merchant: v.string(),
  email: v.string(),
  role: Role,
  has_account: v.boolean(),
  resets_password: v.boolean(),
})
export type InvitationOffer = v.InferOutput<typeof InvitationOffer>

/**
 * Body of `POST /api/invitations/accept`. A person without an account chooses a name and a password; one with an account
 * gives the password that is there.
 */
export const InvitationAcceptance = v.strictObject({
  token,
  name: v.optional(PersonName),
  password: KnownPassword,
})
export type InvitationAcceptance = v.InferOutput<typeof InvitationAcceptance>
