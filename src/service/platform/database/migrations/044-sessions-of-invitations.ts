import type { Migration } from '../migrate.ts'

/** The invitation that a person joins a team by as soon as the second factor was given; null for who comes without one. */
export const sessionsOfInvitations: Migration = {
  version: '044-sessions-of-invitations',
  sql: 'ALTER TABLE user_sessions ADD COLUMN invitation_id text;',
}
