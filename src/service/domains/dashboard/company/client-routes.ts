import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { ClientRequest, SecretRequest } from '../../../../contract/dashboard/company/oauth-client.ts'
import type {
  ClientView,
  MadeClient,
  MadeSecret,
} from '../../../../contract/dashboard/company/oauth-client.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { ClientsForPeople, ListedClient } from './clients-for-people.ts'

interface Parts {
  clients: ClientsForPeople
  sessionOf: DashboardAccess['sessionOf']
}

/** Ids of another issuer's clients are whatever that issuer says. */
const ClientParams = v.object({ id: v.pipe(v.string(), v.maxLength(128)) })

const reading = { config: { permission: 'read', resourceType: 'oauth_client' } } as const
const changing = {
  config: { permission: 'see_secrets', needsFreshPassword: true, resourceType: 'oauth_client' },
} as const

/** The merchant's programs that ask with access tokens. */
export function addClientRoutes(app: FastifyInstance, { clients, sessionOf }: Parts): void {
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
    const data: MadeClient = {
      id: made.clientId,
      client_secret: made.clientSecret,
      scopes: [...made.scopes],
    }
    return answer(reply, 201, 'oauth_client', data)
  })

  app.post('/api/clients/:id/secret', changing, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(ClientParams, request.params)
    const { overlap_seconds: overlapSeconds } = decode(SecretRequest, request.body)
    await requireOwn(session.merchantId, id)
    const rolled = await clients.inNameOf(actorOf(session)).roll(id, overlapSeconds)
    if (rolled === null) throw unknownClient()
    const data: MadeSecret = {
      client_secret: rolled.clientSecret,
      old_ends_at: rolled.oldEndsAt?.toISOString() ?? null,
    }
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

function requireOwnIssuer({ externalIssuer }: ClientsForPeople): void {
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

function toClientView({ id, scopes, issuer, createdAt, revokedAt }: ListedClient): ClientView {
  return {
    id,
    scopes: [...scopes],
    issuer,
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
  }
}
