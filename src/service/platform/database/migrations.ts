import type { Migration } from './migrate.ts'
import { charges } from './migrations/1.0/charges.ts'
import { merchants } from './migrations/1.0/merchants.ts'
import { paymentSourceTokens } from './migrations/1.0/payment-source-tokens.ts'
import { sandboxGateway } from './migrations/1.0/sandbox-gateway.ts'
import { vaultKeys } from './migrations/1.0/vault-keys.ts'
import { checkouts } from './migrations/1.1/checkouts.ts'
import { events } from './migrations/1.1/events.ts'
import { gatewayCredentials } from './migrations/1.1/gateway-credentials.ts'
import {
  agreements,
  dueDaysDone,
  paymentRequests,
  revisionsOfPayments,
  suspendedByBoth,
} from './migrations/1.2/agreements.ts'
import { chargeTallies, sixHourTallies } from './migrations/1.2/charge-tallies.ts'
import { dashboard, keyUses, usersOfAttempts } from './migrations/1.2/dashboard.ts'
import { hashedRequestKeys, tokenHashes, serviceSecrets } from './migrations/1.2/secrets.ts'
import {
  agreementsByReference,
  agreementsByStatusAndType,
  chargesByLast4AndStatus,
  chargesByReferenceAndStatus,
  chargesByReferenceInAnyCase,
  chargesByEmail,
  chargesByGatewaysIdAndName,
  deliveriesByState,
  eventsByType,
  eventsNewest,
  listsByReference,
  paymentsByStatus,
  search,
  templateUses,
} from './migrations/1.2/list-indexes.ts'
import { maintenance, idempotentRequests, rateWindows } from './migrations/1.2/shared-state.ts'
import { oauth } from './migrations/1.2/oauth.ts'
import { sandboxNetwork } from './migrations/1.2/sandbox-network.ts'
import { formerMembers, sessionsOfInvitations, users } from './migrations/1.2/users.ts'
import { formerWebhookSecrets, removedWebhooks, webhooksOfAllEvents } from './migrations/1.2/webhooks.ts'
import {
  accountsOfAttempts,
  endedHolds,
  openAttemptsByAge,
  releasesTried,
  workIndexes,
} from './migrations/1.2/work-indexes.ts'

/**
 * Every step of the schema, oldest first. A landed step never changes; a change is a new step. Numbers are not reused.
 * A folder holds the steps that a release brought, a file those of one subject.
 */
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
  formerWebhookSecrets,
  eventsByType,
  ...workIndexes,
  removedWebhooks,
  eventsNewest,
  agreementsByReference,
  ...sixHourTallies,
  chargesByLast4AndStatus,
  releasesTried,
  ...accountsOfAttempts,
  chargesByReferenceAndStatus,
  ...endedHolds,
  openAttemptsByAge,
  chargesByReferenceInAnyCase,
  chargesByEmail,
  revisionsOfPayments,
  ...chargesByGatewaysIdAndName,
]
