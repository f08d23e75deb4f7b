import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { text } from '../../../contract/api/fields/text.ts'
import type { ChainView, EventView } from '../../../contract/dashboard/audit.ts'
import { KeyId, KeyRequest } from '../../../contract/dashboard/company/api-key.ts'
import type { KeyView, MadeKey } from '../../../contract/dashboard/company/api-key.ts'
import { CompanyChange, Origins } from '../../../contract/dashboard/company/company.ts'
import type { CompanyView } from '../../../contract/dashboard/company/company.ts'
import { ClientRequest, SecretRequest } from '../../../contract/dashboard/company/oauth-client.ts'
import type { ClientView, MadeClient, MadeSecret } from '../../../contract/dashboard/company/oauth-client.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { pageEntries, toFilter } from '../../platform/listing/page-query.ts'
import type {
  ChainState,
  Clients,
  DashboardDeps,
  ListedClient,
  ListedEvent,
  ListedKey,
  Merchant,
} from './deps.ts'
import { addGatewayRoutes } from './gateway-routes.ts'

type SessionOf = DashboardAccess['sessionOf']

/** The routes of the merchant itself: its name, origins, keys, clients and gateways, and its audit log. */
export function addDashboardRoutes(app: FastifyInstance, deps: DashboardDeps, sessionOf: SessionOf): void {
  addCompanyRoutes(app, deps, sessionOf)
  addKeyRoutes(app, deps, sessionOf)
  addClientRoutes(app, deps, sessionOf)
  addGatewayRoutes(app, deps, sessionOf)
  addAuditRoutes(app, deps, sessionOf)
}

function addCompanyRoutes(
  app: FastifyInstance,
  { merchants, pciKit }: DashboardDeps,
  sessionOf: SessionOf,
): void {
  const company = (permission: 'read' | 'change') => ({ config: { permission, resourceType: 'company' } })
  const origins = (permission: 'read' | 'change') => ({ config: { permission, resourceType: 'origins' } })

  app.get('/api/company', company('read'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'company', toCompanyView(requireMerchant(await merchants.read(merchantId))))
  })

  app.patch('/api/company', company('change'), async (request, reply) => {
    const session = sessionOf(request)
    const { name } = decode(CompanyChange, request.body)
    const renamed = await merchants.inNameOf(actorOf(session)).rename(session.merchantId, name)
    return answer(reply, 200, 'company', toCompanyView(requireMerchant(renamed)))
  })

  app.get('/api/origins', origins('read'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'origins', toOrigins(requireMerchant(await merchants.read(merchantId))))
  })

  app.put('/api/origins', origins('change'), async (request, reply) => {
    const session = sessionOf(request)
    const allowed = [...new Set(decode(Origins, request.body).allowed_origins)]
    const changed = await merchants.inNameOf(actorOf(session)).setOrigins(session.merchantId, allowed)
    return answer(reply, 200, 'origins', toOrigins(requireMerchant(changed)))
  })

  const ofPciKit = { permission: 'read', resourceType: 'pci_kit' } as const
  app.get('/api/pci', { config: ofPciKit }, (_request, reply) => {
    if (pciKit === null) throw new ServiceError('not_found', 'There is no release of the SDK here.')
    return answer(reply, 200, 'pci_kit', pciKit)
  })
}

function addKeyRoutes(app: FastifyInstance, { merchants }: DashboardDeps, sessionOf: SessionOf): void {
  const KeyParams = v.object({ id: KeyId })
  const { reading, changing } = secretRoutes('api_key')

  app.get('/api/keys', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'api_key', (await merchants.keys.list(merchantId)).map(toKeyView), null)
  })

  app.post('/api/keys', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { kind, overlap_seconds: overlapSeconds } = decode(KeyRequest, request.body)
    const { keys } = merchants.inNameOf(actorOf(session))
    const rolled = requireMerchant(await keys.roll(session.merchantId, kind, overlapSeconds))
    const made: MadeKey = { id: rolled.id, key: rolled.key, ended: rolled.ended.map(toKeyView) }
    return answer(reply, 201, 'api_key', made)
  })

  app.delete('/api/keys/:id', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(KeyParams, request.params)
    const isOwn = (await merchants.keys.list(session.merchantId)).some((key) => key.id === id)
    const revoked = isOwn ? await merchants.inNameOf(actorOf(session)).keys.revoke(id) : null
    if (revoked === null) throw new ServiceError('not_found', 'There is no such key that has not ended.')
    return answer(reply, 200, 'api_key', toKeyView(revoked))
  })
}

function addClientRoutes(app: FastifyInstance, { clients }: DashboardDeps, sessionOf: SessionOf): void {
  // Another issuer's client ids may be anything.
  const ClientParams = v.object({ id: v.pipe(v.string(), v.maxLength(128)) })
  const { reading, changing } = secretRoutes('oauth_client')
  const requireOwn = async (merchantId: string, id: string) => {
    if (!(await clients.list(merchantId)).some((client) => client.id === id)) throw unknownClient()
  }

  app.get('/api/clients', reading, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    return answer(reply, 200, 'oauth_client', (await clients.list(merchantId)).map(toClientView), null)
  })

  app.post('/api/clients', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { scopes } = decode(ClientRequest, request.body)
    requireOwnIssuer(clients)
    const made = await clients.inNameOf(actorOf(session)).make(session.merchantId, [...new Set(scopes)])
    if (made === null) throw unknownClient()
    const { clientId: id, clientSecret: client_secret } = made
    const data: MadeClient = { id, client_secret, scopes: [...made.scopes] }
    return answer(reply, 201, 'oauth_client', data)
  })

  app.post('/api/clients/:id/secret', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(ClientParams, request.params)
    const { overlap_seconds: overlapSeconds } = decode(SecretRequest, request.body)
    await requireOwn(session.merchantId, id)
    const rolled = await clients.inNameOf(actorOf(session)).roll(id, overlapSeconds)
    if (rolled === null) throw unknownClient()
    const { clientSecret: client_secret, oldEndsAt } = rolled
    const data: MadeSecret = { client_secret, old_ends_at: oldEndsAt?.toISOString() ?? null }
    return answer(reply, 201, 'oauth_client', data)
  })

  app.delete('/api/clients/:id', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(ClientParams, request.params)
    await requireOwn(session.merchantId, id)
    const revoked = await clients.inNameOf(actorOf(session)).revoke(id)
    if (revoked === null) throw unknownClient()
    return answer(reply, 200, 'oauth_client', toClientView(revoked))
  })
}

const { limit, cursor, 'created_at.from': from, 'created_at.to': to } = pageEntries

/** `actor` is one of them, or `people` for everybody who is a person. */
const EventQuery = v.strictObject({
  type: v.optional(text(64)),
  subject: v.optional(text(128)),
  actor: v.optional(text(128)),
  'created_at.from': from,
  'created_at.to': to,
  limit,
  cursor,
})

/** Who did what, from where, and whether the log is unchanged. */
function addAuditRoutes(app: FastifyInstance, { events }: DashboardDeps, sessionOf: SessionOf): void {
  const reading = (resourceType: string) => ({ config: { permission: 'read', resourceType } }) as const

  app.get('/api/events', reading('event'), async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { type = null, subject = null, actor = null, ...query } = decode(EventQuery, request.query)
    const filter = { ...toFilter({ ...query, skip: 0 }), type, subject, actor }
    const { shown, next } = await events.page(merchantId, filter)
    return answer(reply, 200, 'event', shown.map(toEventView), next)
  })

  app.get('/api/events/chain', reading('event_chain'), async (_request, reply) =>
    answer(reply, 200, 'event_chain', toChainView(await events.chainState())),
  )
}

/** To change a secret, a person needs a role that sees secrets, and a fresh password. */
function secretRoutes(resourceType: string) {
  return {
    reading: { config: { permission: 'read', resourceType } },
    changing: { config: { permission: 'see_secrets', needsFreshPassword: true, resourceType } },
  } as const
}

/** Nobody is signed in to a merchant that is gone. */
function requireMerchant<Value>(found: Value | null): Value {
  if (found === null) throw new ServiceError('not_found', 'There is no such merchant any more.')
  return found
}

function requireOwnIssuer({ externalIssuer }: Clients): void {
  if (externalIssuer === undefined) return
  const words = `Access tokens come from ${externalIssuer}: the operator of this service adds clients of it.`
  throw new ServiceError('unfulfilled_condition', words)
}

function unknownClient(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such client, or it has ended, or its secrets are not kept here.',
  )
}

function toCompanyView({ id, name, preAuth }: Merchant): CompanyView {
  return { id, name, pre_auth: preAuth }
}

function toOrigins({ allowedOrigins }: Merchant): Origins {
  return { allowed_origins: [...allowedOrigins] }
}

function toKeyView({ id, kind, key, createdAt, lastUsedAt, revokedAt, isRevoked }: ListedKey): KeyView {
  return {
    id,
    kind,
    key,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    ends_at: revokedAt?.toISOString() ?? null,
    is_revoked: isRevoked,
  }
}

function toClientView({ id, scopes, issuer, createdAt, revokedAt }: ListedClient): ClientView {
  return {
    id,
    scopes: [...scopes],
    issuer,
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
  }
}

function toEventView({ id, type, subject, actor, facts, createdAt }: ListedEvent): EventView {
  return { id, type, subject, actor, facts, created_at: createdAt.toISOString() }
}

function toChainView({ length, verifiedLength, verifiedAt, brokenAt }: ChainState): ChainView {
  return {
    is_intact: brokenAt === null,
    length,
    verified_length: verifiedLength,
    verified_at: verifiedAt?.toISOString() ?? null,
    broken_at: brokenAt,
  }
}
