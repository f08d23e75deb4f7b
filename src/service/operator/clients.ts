import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { Config } from '../config.ts'
import { CLIENT_ID } from '../domains/oauth/client.ts'
import type { OauthClient } from '../domains/oauth/client.ts'
import { createSigningKeys } from '../domains/oauth/signing-keys.ts'
import { SCOPES } from '../../contract/api/scope.ts'
import type { Scope } from '../../contract/api/scope.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import type { Database } from '../platform/database/database.ts'
import { createIds } from '../platform/identifiers.ts'
import { masterKeySource } from '../platform/vault/key-stores/open-master-keys.ts'
import { createTextVault } from '../platform/vault/vault.ts'
import {
  CommandFault,
  exampleText,
  group,
  JSON_OPTION,
  MERCHANT_ID,
  noMerchant,
  secondsOf,
} from './command.ts'
import type { CommandContext, OnDatabase } from './command.ts'

const ID = 'the id of a client: svc clients list MERCHANT_ID'
const EXAMPLE_ID = 'client_65b0c1f2e4a7d83b5c9f0a56'

export function clientCommands(onDatabase: OnDatabase) {
  const clients = group(
    'clients',
    'OAuth clients, which get access tokens for a merchant',
    'svc clients add 65b0c1f2e4a7d83b5c9f0a12 --scope payments:read',
  )
  addAdd(clients, onDatabase)
  clients
    .command('list')
    .description("Lists a merchant's clients, oldest first. What their secrets are is kept nowhere.")
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc clients list 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ merchants, clients: all, output }, merchantId, format) => {
        if ((await merchants.read(merchantId)) === null) throw noMerchant(merchantId)
        const found = await all.list(merchantId)
        output.show(format, { clients: found.map(documentOf) }, found.map(lineOf))
        if (found.length === 0) output.note(`Merchant ${merchantId} has no clients.`)
      }),
    )
  clients
    .command('roll')
    .description(
      'Makes a client a new secret and shows it, this once. Those that it has end after the overlap, or at once.',
    )
    .argument('<CLIENT_ID>', ID)
    .option('--overlap <TIME>', 'how long older secrets work on, such as 30m, 24h or 7d', secondsOf, 0)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText(`svc clients roll ${EXAMPLE_ID} --overlap 24h`))
    .action(
      onDatabase(async ({ clients: all, output }, clientId, { overlap, json }) => {
        const rolled = await all.roll(clientId, overlap)
        if (rolled === null)
          throw new CommandFault('There is no such client with a secret here that has not ended.')
        const { clientSecret: client_secret, oldEndsAt } = rolled
        const old_ends_at = oldEndsAt?.toISOString() ?? null
        output.show({ json }, { client_id: clientId, client_secret, old_ends_at })
      }),
    )
  clients
    .command('revoke')
    .description('Ends a client at once, in every process, with the access tokens that it has.')
    .argument('<CLIENT_ID>', ID)
    .addHelpText('after', exampleText(`svc clients revoke ${EXAMPLE_ID}`))
    .action(
      onDatabase(async ({ clients: all, output }, clientId) => {
        const revoked = await all.revoke(clientId)
        if (revoked === null) throw new CommandFault('There is no such client that has not ended.')
        output.line(`The client ${revoked.id} of merchant ${revoked.merchantId} has ended.`)
      }),
    )
  return clients
}

function addAdd(clients: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  clients
    .command('add')
    .description('Makes a merchant a client that may ask for access tokens, and shows its secret, this once.')
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(
      '--scope <SCOPE>',
      `what it may do (${SCOPES.join(', ')}); can be repeated, without it everything`,
      addScope,
    )
    .option('--external <CLIENT_ID>', 'take a client of the issuer in SVC_OAUTH_ISSUER instead', externalId)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      exampleText('svc clients add 65b0c1f2e4a7d83b5c9f0a12 --scope agreements:read --scope payments:read'),
    )
    .action(
      onDatabase(async (context, merchantId, { scope = SCOPES, external, json }) => {
        refuseUseless(context.config, external !== undefined)
        if ((await context.merchants.read(merchantId)) === null) throw noMerchant(merchantId)
        const scopes = SCOPES.filter((one) => scope.includes(one))
        const document =
          external === undefined
            ? await make(context, merchantId, scopes)
            : await register(context, { id: external, merchantId, scopes })
        context.output.show({ json }, document)
      }),
    )
}

function addScope(given: string, before: readonly Scope[] = []): Scope[] {
  const scope = SCOPES.find((one) => one === given)
  if (scope === undefined) throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(', ')}.`)
  return [...before, scope]
}

function externalId(given: string): string {
  if (!CLIENT_ID.test(given))
    throw new InvalidArgumentError('It must be an id as the issuer gives it to clients.')
  return given
}

/** Refuses a client for which no token that it could get would be accepted. */
function refuseUseless({ oauthIssuer }: Config, isExternal: boolean): void {
  if (isExternal && oauthIssuer === undefined)
    throw new CommandFault(
      'SVC_OAUTH_ISSUER is not set: the service issues tokens itself, to clients of its own.',
    )
  if (!isExternal && oauthIssuer !== undefined)
    throw new CommandFault(
      `Tokens come from ${oauthIssuer}: make the client there, then name it with --external.`,
    )
}

async function make({ clients }: CommandContext, merchantId: string, scopes: readonly Scope[]) {
  const made = await clients.make(merchantId, scopes)
  if (made === null) throw noMerchant(merchantId)
  return { client_id: made.clientId, client_secret: made.clientSecret, scopes }
}

async function register(
  { config, clients }: CommandContext,
  client: Pick<OauthClient, 'id' | 'merchantId' | 'scopes'>,
) {
  const issuer = config.oauthIssuer ?? ''
  if (!(await clients.register({ ...client, issuer })))
    throw new CommandFault(`There is a client ${client.id} already.`)
  return { client_id: client.id, issuer, merchant_id: client.merchantId, scopes: client.scopes }
}

const documentOf = ({ id, issuer, scopes, createdAt, revokedAt }: OauthClient) => ({
  client_id: id,
  issuer,
  scopes,
  created_at: createdAt.toISOString(),
  revoked_at: revokedAt?.toISOString() ?? null,
})

function lineOf({ id, issuer, scopes, createdAt, revokedAt }: OauthClient): string {
  const state = revokedAt === null ? 'works' : `ended ${revokedAt.toISOString()}`
  const of = issuer === null ? '' : `  of ${issuer}`
  return `${id}${of}  ${scopes.join(' ')}  made ${createdAt.toISOString()}  ${state}`
}

export function signingKeyCommands(onDatabase: OnDatabase) {
  const keys = group('signing-keys', 'the keys that sign access tokens', 'svc signing-keys rotate')
  keys
    .command('rotate')
    .description('Makes a new key before its time. It signs after an hour, and tokens go on.')
    .option(
      '--at-once',
      'for a key that may be known to others: the new one signs now, older ones are deleted, and within a minute no token of theirs is good',
    )
    .addHelpText('after', exampleText('svc signing-keys rotate'))
    .action(
      onDatabase(async ({ config, database, output }, { atOnce = false }) => {
        const id = await (await signingKeysOf(config, database)).replace(atOnce)
        output.line(
          atOnce
            ? `The key ${id} signs from now on, alone.`
            : `The key ${id} is published and signs in an hour.`,
        )
      }),
    )
  return keys
}

async function signingKeysOf(config: Config, database: Database) {
  const timeOfDay = await startDatabaseClock(database, monotonicClock)
  return createSigningKeys({
    database,
    vault: createTextVault(masterKeySource(config)),
    createId: createIds(timeOfDay),
    timeOfDay,
  })
}
