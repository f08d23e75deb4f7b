import { addGateway } from './merchants/add-gateway.ts'
import { changeGateway } from './merchants/change-gateway.ts'
import type { Command, RemoteCommand } from './command.ts'
import { listGateways, removeGateway, setDefaultGateway } from './merchants/gateway-commands.ts'
import { maintenance } from './upkeep/maintenance.ts'
import { enterOutcomeOfAttempt, recountCharges, unknownOutcomes } from './upkeep/charge-commands.ts'
import { listKeys, revokeKey, rollKey } from './keys/key-commands.ts'
import {
  addMerchant,
  listMerchants,
  preAuth,
  renameMerchant,
  setOrigins,
} from './merchants/merchant-commands.ts'
import {
  addOauthClient,
  listOauthClients,
  revokeOauthClient,
  rollOauthSecret,
} from './keys/oauth-commands.ts'
import { replayWebhooks } from './upkeep/replay-webhooks.ts'
import { rotateOauthKey } from './keys/rotate-oauth-key.ts'
import { rotateVault } from './keys/rotate-vault.ts'
import { addUser, listUsers, removeUser, resetUser } from './merchants/user-commands.ts'
import { verifyAudit } from './upkeep/verify-audit.ts'
import { webhookDeliveries } from './upkeep/webhook-deliveries.ts'
import { webhooksListen } from './upkeep/webhooks-listen.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly (Command | RemoteCommand)[] = [
  addMerchant,
  listMerchants,
  renameMerchant,
  setOrigins,
  preAuth,
  addGateway,
  listGateways,
  changeGateway,
  setDefaultGateway,
  removeGateway,
  listKeys,
  rollKey,
  revokeKey,
  addOauthClient,
  listOauthClients,
  rollOauthSecret,
  revokeOauthClient,
  rotateOauthKey,
  rotateVault,
  unknownOutcomes,
  enterOutcomeOfAttempt,
  webhookDeliveries,
  replayWebhooks,
  webhooksListen,
  verifyAudit,
  maintenance,
  addUser,
  listUsers,
  removeUser,
  resetUser,
  recountCharges,
]
