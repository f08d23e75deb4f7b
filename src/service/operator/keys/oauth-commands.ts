import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { CLIENT_ID } from '../../domains/oauth/clients/client.ts'
import type { OauthClient } from '../../domains/oauth/clients/client.ts'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { Command, CommandContext } from '../command.ts'
import { secondsOf } from './key-commands.ts'

export const addOauthClient: Command = {
  name: 'add-oauth-client',
  usage: `add-oauth-client MERCHANT_ID [--scope ${SCOPES[0]}]... [--external CLIENT_ID]
      makes a merchant a client that may ask for access tokens, and shows its secret, this once; with every scope where none is
      named. --external takes a client of the issuer in SVC_OAUTH_ISSUER for the merchant's`,
  async run(context, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        scope: { type: 'string', multiple: true, default: [...SCOPES] },
        external: { type: 'string' },
      },
    })
    const [merchantId, ...more] = positionals
    const unknown = values.scope.find((scope) => !SCOPES.some((one) => one === scope))
    if (unknown !== undefined) {
      context.say(`There is no scope ${unknown}. There are: ${SCOPES.join(', ')}.`)
      return 2
    }
    const scopes = SCOPES.filter((scope) => values.scope.includes(scope))
    const { external } = values
    if (merchantId === undefined || more.length > 0) return 2
    if (external !== undefined && !CLIENT_ID.test(external)) return 2
    const wrongIssuer = issuerFault(context.config, external !== undefined)
    if (wrongIssuer !== null) {
      context.say(wrongIssuer)
      return 1
    }
    return external === undefined
      ? make(context, merchantId, scopes)
      : register(context, { id: external, merchantId, scopes })
  },
}

/** Why such a client can't be added: it would be useless, as no token that it could get would be accepted. Null where it can. */
function issuerFault({ oauthIssuer }: Config, isExternal: boolean): string | null {
  if (isExternal && oauthIssuer === undefined)
    return 'SVC_OAUTH_ISSUER is not set: the service issues tokens itself, to clients of its own.'
  if (!isExternal && oauthIssuer !== undefined)
    return `Tokens come from ${oauthIssuer}: make the client there, then name it with --external.`
  return null
}

async function make(
  { clients, say }: CommandContext,
  merchantId: string,
  scopes: readonly Scope[],
): Promise<number> {
  const made = await clients.make(merchantId, scopes)
  if (made === null) {
    say(`There is no merchant ${merchantId}.`)
    return 1
  }
  say(JSON.stringify({ client_id: made.clientId, client_secret: made.clientSecret, scopes }, null, 2))
  return 0
}

async function register(
  { config, clients, say }: CommandContext,
  client: Pick<OauthClient, 'id' | 'merchantId' | 'scopes'>,
): Promise<number> {
  const isDone = await clients.register({ ...client, issuer: config.oauthIssuer ?? '' })
  say(
    isDone
      ? `The client ${client.id} acts for merchant ${client.merchantId}, for ${client.scopes.join(' ')}.`
      : `There is no merchant ${client.merchantId}, or a client ${client.id} already.`,
  )
  return isDone ? 0 : 1
}

export const listOauthClients: Command = {
  name: 'list-oauth-clients',
  usage: `list-oauth-clients MERCHANT_ID
      lists a merchant's clients, oldest first; what their secrets are is kept nowhere`,
  async run({ clients, say }, [merchantId, ...more]) {
    if (merchantId === undefined || more.length > 0) return 2
    const found = await clients.list(merchantId)
    for (const client of found) say(lineOf(client))
    if (found.length === 0) say(`Merchant ${merchantId} has no clients.`)
    return found.length === 0 ? 1 : 0
  },
}

function lineOf({ id, issuer, scopes, createdAt, revokedAt }: OauthClient): string {
  const state = revokedAt === null ? 'works' : `ended ${revokedAt.toISOString()}`
  const of = issuer === null ? '' : `  of ${issuer}`
  return `${id}${of}  ${scopes.join(' ')}  made ${createdAt.toISOString()}  ${state}`
}

export const revokeOauthClient: Command = {
  name: 'revoke-oauth-client',
  usage: `revoke-oauth-client CLIENT_ID
      ends a client at once, in every process, with the access tokens that it has`,
  async run({ clients, say }, [clientId, ...more]) {
    if (clientId === undefined || more.length > 0) return 2
    const revoked = await clients.revoke(clientId)
    say(
      revoked === null
        ? 'There is no such client that has not ended.'
        : `The client ${revoked.id} of merchant ${revoked.merchantId} has ended.`,
    )
    return revoked === null ? 1 : 0
  },
}

export const rollOauthSecret: Command = {
  name: 'roll-oauth-secret',
  usage: `roll-oauth-secret CLIENT_ID [--overlap 24h]
      makes a client a new secret and shows it, this once; those that it has end after the overlap, or at once`,
  async run({ clients, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { overlap: { type: 'string', default: '0s' } },
    })
    const [clientId, ...more] = positionals
    const overlapSeconds = secondsOf(values.overlap)
    if (clientId === undefined || more.length > 0 || overlapSeconds === null) return 2
    const rolled = await clients.roll(clientId, overlapSeconds)
    if (rolled === null) {
      say('There is no such client with a secret here that has not ended.')
      return 1
    }
    const { clientSecret: client_secret, oldEndsAt } = rolled
    say(
      JSON.stringify({ client_id: clientId, client_secret, old_ends_at: oldEndsAt?.toISOString() }, null, 2),
    )
    return 0
  },
}
