import type { Migration } from '../../migrate.ts'

export const gatewayCredentials: Migration = {
  version: '006-gateway-credentials',
  sql: `
ALTER TABLE gateways ADD COLUMN master_key_id text;
ALTER TABLE gateways ADD COLUMN wrapped_data_key bytea;
ALTER TABLE gateways ADD COLUMN credentials bytea;
`,
}
