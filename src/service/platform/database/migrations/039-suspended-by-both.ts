import type { Migration } from '../migrate.ts'

/** The merchant and the debtor may each have suspended an agreement. */
export const suspendedByBoth: Migration = {
  version: '039-suspended-by-both',
  sql: `
ALTER TABLE agreements DROP CONSTRAINT agreements_suspended_by_check;
ALTER TABLE agreements ADD CONSTRAINT agreements_suspended_by_check
  CHECK (suspended_by IN ('creditor', 'debtor', 'both'));
`,
}
