import type { Migration } from './migrate.ts'
import { merchants } from './migrations/001-merchants.ts'
import { paymentSourceTokens } from './migrations/002-payment-source-tokens.ts'
import { charges } from './migrations/003-charges.ts'
import { sandboxGateway } from './migrations/004-sandbox-gateway.ts'
import { events } from './migrations/005-events.ts'
import { gatewayCredentials } from './migrations/006-gateway-credentials.ts'
import { checkouts } from './migrations/007-checkouts.ts'
import { vaultKeys } from './migrations/009-vault-keys.ts'
import { tokenHashes } from './migrations/010-token-hashes.ts'
import { serviceSecrets } from './migrations/011-service-secrets.ts'
import { idempotentRequests } from './migrations/013-idempotent-requests.ts'
import { hashedRequestKeys } from './migrations/014-hashed-request-keys.ts'
import { rateWindows } from './migrations/015-rate-windows.ts'
import { oauth } from './migrations/016-oauth.ts'
import { agreements } from './migrations/017-agreements.ts'
import { sandboxNetwork } from './migrations/018-sandbox-network.ts'
import { webhooksOfAllEvents } from './migrations/019-webhooks-of-all-events.ts'
import { maintenance } from './migrations/020-maintenance.ts'
import { users } from './migrations/021-users.ts'
import { dashboard } from './migrations/022-dashboard.ts'
import { search } from './migrations/023-search.ts'
import { usersOfAttempts } from './migrations/032-users-of-attempts.ts'
import { chargeTallies } from './migrations/033-charge-tallies.ts'
import { templateUses } from './migrations/035-template-uses.ts'
import { paymentRequests } from './migrations/038-payment-requests.ts'
import { suspendedByBoth } from './migrations/039-suspended-by-both.ts'
import { formerMembers } from './migrations/040-former-members.ts'
import { paymentsByStatus } from './migrations/041-payments-by-status.ts'
import { keyUses } from './migrations/042-key-uses.ts'
import { dueDaysDone } from './migrations/043-due-days-done.ts'
import { sessionsOfInvitations } from './migrations/044-sessions-of-invitations.ts'
import { agreementsByStatusAndType } from './migrations/045-agreements-by-status-and-type.ts'
import { deliveriesByState } from './migrations/046-deliveries-by-state.ts'
import { listsByReference } from './migrations/047-lists-by-reference.ts'

/** Every step of the schema, oldest first. A landed step never changes; a change is a new step. Numbers are not reused. */
export const migrations: readonly Migration[] = [
  merchants,
  paymentSourceTokens,
  charges,
  sandboxGateway,
  events,
  gatewayCredentials,
  checkouts,
  vaultKeys,
  tokenHashes,
  serviceSecrets,
  idempotentRequests,
  hashedRequestKeys,
  rateWindows,
  oauth,
  agreements,
  sandboxNetwork,
  webhooksOfAllEvents,
  maintenance,
  users,
  dashboard,
  ...search,
  usersOfAttempts,
  chargeTallies,
  ...templateUses,
  paymentRequests,
  suspendedByBoth,
  formerMembers,
  paymentsByStatus,
  keyUses,
  dueDaysDone,
  sessionsOfInvitations,
  agreementsByStatusAndType,
  deliveriesByState,
  listsByReference,
]
