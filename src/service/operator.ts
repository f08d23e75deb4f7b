import { text } from 'node:stream/consumers'
import { monotonicClock } from './platform/clocks.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import { startDatabaseClock } from './platform/database/database-clock.ts'
import { runningPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { createIds } from './platform/identifiers.ts'
import { createMerchantStore } from './domains/merchants/merchant-store.ts'
import { createMerchants } from './domains/merchants/merchants.ts'
import { createClientStore } from './domains/oauth/clients/client-store.ts'
import { createClients } from './domains/oauth/clients/clients.ts'
import { writeEvent } from './domains/events/write-event.ts'
import { openAdministration } from './domains/users/open-administration.ts'
import { actor } from './operator/actor.ts'
import { addGateway } from './operator/add-gateway.ts'
import type { Command } from './operator/command.ts'
import { maintenance } from './operator/maintenance.ts'
import { recountCharges } from './operator/recount-charges.ts'
import { listKeys, revokeKey, rollKey } from './operator/key-commands.ts'
import { addMerchant, preAuth } from './operator/merchant-commands.ts'
import {
  addOauthClient,
  listOauthClients,
  revokeOauthClient,
  rollOauthSecret,
} from './operator/oauth-commands.ts'
import { replayWebhooks } from './operator/replay-webhooks.ts'
import { rotateOauthKey } from './operator/rotate-oauth-key.ts'
import { rotateVault } from './operator/rotate-vault.ts'
import { unknownOutcomes } from './operator/unknown-outcomes.ts'
import { addUser, listUsers, removeUser, resetUser } from './operator/user-commands.ts'
import { cardNumberIn, usageOf, wrongCall } from './operator/usage.ts'
import { verifyAudit } from './operator/verify-audit.ts'
import { webhookDeliveries } from './operator/webhook-deliveries.ts'
import { masterKeySource } from './platform/vault/key-stores/open-master-keys.ts'
import { createTextVault } from './platform/vault/sealed-text.ts'

const commands: readonly Command[] = [
  addMerchant,
  addGateway,
  preAuth,
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
  webhookDeliveries,
  replayWebhooks,
  verifyAudit,
  maintenance,
  addUser,
  listUsers,
  removeUser,
  resetUser,
  recountCharges,
]

function databaseOf({ databaseUrl, dataDir }: Config): string {
  const connectionString = databaseUrl ?? runningPostgres(dataDir)
  if (connectionString === null) throw new Error(`${dataDir} holds no database: start the service first`)
  return connectionString
}

/** What commands use of the domains, acting in the operator's name. */
async function domainsOf(config: Config, database: Database) {
  const createId = createIds(await startDatabaseClock(database, monotonicClock))
  const acts = { writeEvent, createId, actor: actor() }
  const { environment, dashboardUrl } = config
  const textVault = createTextVault(masterKeySource(config))
  return {
    users: openAdministration({ database, textVault, dashboardUrl, ...acts }),
    merchants: createMerchants({
      store: createMerchantStore(database, acts),
      vault: textVault,
      createId,
      clock: monotonicClock,
      environment,
    }),
    clients: createClients(createClientStore(database, acts), environment),
  }
}

async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('The key, then Enter and Ctrl-D: ')
  return (await text(process.stdin)).trim()
}

/** One command of the operator; the exit code. */
async function operate([name, ...parameters]: string[], say: (text: string) => void): Promise<number> {
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return 2
  const fault = cardNumberIn(parameters)
  if (fault !== null) {
    process.stderr.write(`svc: ${fault}\n`)
    return 2
  }
  const config = readConfig()
  const database = createDatabase({
    connectionString: databaseOf(config),
    connections: 1,
    onIdleError: () => undefined,
  })
  try {
    const tools = { config, database, say, readSecret, ...(await domainsOf(config, database)) }
    return await command.run(tools, parameters)
  } catch (error) {
    const words = wrongCall(error)
    if (words === null) throw error
    process.stderr.write(`svc: ${words}\n`)
    return 2
  } finally {
    await database.close()
  }
}

const call = process.argv.slice(2)
operate(call, (text) => process.stdout.write(`${text}\n`)).then(
  (code) => {
    if (code === 2) process.stderr.write(usageOf(commands, call[0]))
    process.exit(code)
  },
  (error: unknown) => {
    process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
