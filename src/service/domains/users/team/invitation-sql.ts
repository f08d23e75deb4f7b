import type { Role } from '../../../../contract/dashboard/people/role.ts'
import { bigint, bytea, nullable, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'

/** Replaces an open one to the same person: of two links only the newer works. */
export const addInvitation = statement({
  name: 'add_invitation',
  values: {
    invitation_id: text,
    token_hash: bytea,
    merchant_id: text,
    email: text,
    role: textOf<Role>(),
    invited_by: nullable(text),
    resets_user_id: nullable(text),
  },
  columns: { ends_at: timestamptz },
  sql: `
    INSERT INTO invitations (id, token_hash, merchant_id, email, role, invited_by, resets_user_id, ends_at)
    SELECT :invitation_id, :token_hash, id, :email, :role, :invited_by, :resets_user_id, now() + interval '7 days'
    FROM merchants WHERE id = :merchant_id
    ON CONFLICT (merchant_id, email) DO UPDATE SET
      id = excluded.id, token_hash = excluded.token_hash, role = excluded.role, invited_by = excluded.invited_by,
      resets_user_id = excluded.resets_user_id, created_at = excluded.created_at, ends_at = excluded.ends_at
    RETURNING ends_at`,
})
export const foundColumns = {
  id: text,
  merchant_id: text,
  merchant_name: text,
  email: text,
  role: textOf<Role>(),
  resets_user_id: nullable(text),
  user_id: nullable(text),
}
export const findInvitation = statement({
  name: 'find_invitation',
  values: { token_hash: bytea },
  columns: foundColumns,
  sql: `
    SELECT i.id, i.merchant_id, m.name AS merchant_name, i.email, i.role, i.resets_user_id,
           (SELECT u.id FROM users u WHERE u.email = i.email) AS user_id
    FROM invitations i JOIN merchants m ON m.id = i.merchant_id
    WHERE i.token_hash = :token_hash AND i.ends_at > now()`,
})
export const takeInvitation = statement({
  name: 'take_invitation',
  values: { invitation_id: text },
  columns: { merchant_id: text, role: textOf<Role>() },
  sql: 'DELETE FROM invitations WHERE id = :invitation_id AND ends_at > now() RETURNING merchant_id, role',
})
/** Of two requests that follow a link at once, one waits here. */
export const lockInvitation = statement({
  name: 'lock_invitation',
  values: { invitation_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM invitations WHERE id = :invitation_id AND ends_at > now() FOR UPDATE',
})
export const listInvitations = statement({
  name: 'list_invitations',
  values: { merchant_id: text },
  columns: {
    id: text,
    email: text,
    role: textOf<Role>(),
    created_at: timestamptz,
    ends_at: timestamptz,
    invited_by: nullable(text),
  },
  sql: `
    SELECT i.id, i.email, i.role, i.created_at, i.ends_at,
           (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by
    FROM invitations i
    WHERE i.merchant_id = :merchant_id AND i.resets_user_id IS NULL AND i.ends_at > now()
    ORDER BY i.created_at, i.id`,
})
export const countOthers = statement({
  name: 'count_open_invitations',
  values: { merchant_id: text, email: text },
  columns: { count: bigint },
  sql: `
    SELECT count(*) AS count FROM invitations
    WHERE merchant_id = :merchant_id AND email <> :email AND resets_user_id IS NULL AND ends_at > now()`,
})
export const revokeInvitation = statement({
  name: 'revoke_invitation',
  values: { invitation_id: text, merchant_id: text },
  columns: { email: text, role: textOf<Role>() },
  sql: `
    DELETE FROM invitations
    WHERE id = :invitation_id AND merchant_id = :merchant_id AND resets_user_id IS NULL AND ends_at > now()
    RETURNING email, role`,
})
export const revokedColumns = { id: text, merchant_id: text, email: text, role: textOf<Role>() }
/** At one merchant, or at all where that is null. */
export const revokeInvitationsBy = statement({
  name: 'revoke_invitations_by_user',
  values: { merchant_id: nullable(text), user_id: text },
  columns: revokedColumns,
  sql: `
    DELETE FROM invitations
    WHERE merchant_id = coalesce(:merchant_id, merchant_id) AND invited_by = :user_id AND resets_user_id IS NULL
      AND ends_at > now()
    RETURNING id, merchant_id, email, role`,
})
/** At every merchant; the link of a reset is none of these. */
export const revokeInvitationsTo = statement({
  name: 'revoke_invitations_to_email',
  values: { email: text },
  columns: revokedColumns,
  sql: `
    DELETE FROM invitations WHERE email = :email AND resets_user_id IS NULL AND ends_at > now()
    RETURNING id, merchant_id, email, role`,
})
export const endResetsOfUser = statement({
  name: 'end_reset_links_of_user',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM invitations WHERE resets_user_id = :user_id',
})
export const forgetEnded = statement({
  name: 'forget_ended_invitations',
  values: {},
  columns: {},
  sql: 'DELETE FROM invitations WHERE ends_at <= now()',
})
