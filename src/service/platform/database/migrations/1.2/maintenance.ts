import type { Migration } from '../../migrate.ts'

/** Its one row is there while there is maintenance. */
export const maintenance: Migration = {
  version: '020-maintenance',
  sql: `
CREATE TABLE maintenance (
  name text PRIMARY KEY CHECK (name = 'service'),
  retry_after_seconds integer NOT NULL CHECK (retry_after_seconds > 0)
);
`,
}
