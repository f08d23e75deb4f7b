/**
 * Whether the card holders of a gateway account are authenticated. Tallies of those who were asked by their bank, and of them who passed,
 * who did not, and who gave up.
 */
export const authenticationWishes = `
ALTER TABLE gateways ADD COLUMN authentication text NOT NULL DEFAULT 'automatic'
  CHECK (authentication IN ('automatic', 'challenge', 'never'));
ALTER TABLE charge_tallies
  ADD COLUMN asked_count bigint NOT NULL DEFAULT 0, ADD COLUMN asked_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN passed_count bigint NOT NULL DEFAULT 0, ADD COLUMN passed_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN not_passed_count bigint NOT NULL DEFAULT 0, ADD COLUMN not_passed_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN gave_up_count bigint NOT NULL DEFAULT 0, ADD COLUMN gave_up_cents bigint NOT NULL DEFAULT 0;
`
