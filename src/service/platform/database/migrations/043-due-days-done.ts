import type { Migration } from '../migrate.ts'

/** Until which day an agreement's due days have had their turn, which a change of its terms must not forget. */
export const dueDaysDone: Migration = {
  version: '043-due-days-done',
  sql: `
ALTER TABLE agreements ADD COLUMN due_days_done_until text;
UPDATE agreements SET due_days_done_until = to_char(next_due_on::date - 1, 'YYYY-MM-DD') WHERE next_due_on IS NOT NULL;
`,
}
