import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { CountWrongKey } from '../../platform/http/callers/admission.ts'
import { wrongMediaType } from '../../platform/http/requests/bodies.ts'
import type { Clients } from './clients/clients.ts'
import { issuerOperations } from './issuer-operations.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { LIFETIME_SECONDS } from './tokens/issue-token.ts'
import type { IssueToken } from './tokens/issue-token.ts'
import { grantedScopes, TokenRefusal, tokenRequestOf, unknownClient } from './tokens/token-request.ts'

interface Parts {
  clients: Pick<Clients, 'withSecret'>
  keys: Pick<SigningKeys, 'published'>
  issueToken: IssueToken
  /** The service's own address. */
  issuer: string
  countWrongKey: CountWrongKey
}

/** The built-in issuer: its token endpoint (RFC 6749), its keys (RFC 7517) and what it says of itself (RFC 8414). */
export function addIssuerRoutes(app: FastifyInstance, parts: Parts): void {
  const { keys, issuer } = parts
  app.post(
    '/oauth/token',
    {
      config: { takesForm: true, resourceType: 'token', operation: issuerOperations.token },
      bodyLimit: BODY_LIMIT_BYTES,
    },
    async (request, reply) => {
      try {
        return await reply.headers(NOT_KEPT).send(await tokenFor(request, parts))
      } catch (error) {
        if (error instanceof TokenRefusal) return refuse(request, reply, error, parts)
        throw error
      }
    },
  )

  app.get('/oauth/jwks', { config: { operation: issuerOperations.keys } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await keys.published()),
  )

  const metadata = metadataOf(issuer)
  app.get(
    '/.well-known/oauth-authorization-server',
    { config: { operation: issuerOperations.metadata } },
    (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(metadata),
  )
}

/** An id, a secret, a grant and every scope. */
const BODY_LIMIT_BYTES = 4096

/** RFC 6749, section 5.1. */
const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }

async function tokenFor(request: FastifyRequest, { clients, issueToken }: Parts) {
  const { body = new URLSearchParams(), headers, url } = request
  if (!(body instanceof URLSearchParams)) throw wrongMediaType(request)
  // Addresses stand in the logs of whatever is on the way.
  if (url.includes('?')) throw new TokenRefusal('invalid_request', 'Send all parameters in the body.')
  const { credentials, scope } = tokenRequestOf(body, headers.authorization)
  const client = await clients.withSecret(credentials.id, credentials.secret)
  if (client === null) throw unknownClient()
  const scopes = grantedScopes(scope, client.scopes)
  return {
    access_token: await issueToken(client.id, scopes),
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    scope: scopes.join(' '),
  }
}

/** RFC 6749, section 5.2. Wrong secrets count as wrong keys do. */
async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { fault, message }: TokenRefusal,
  { countWrongKey }: Parts,
): Promise<FastifyReply> {
  const isUnknown = fault === 'invalid_client'
  if (isUnknown) {
    await countWrongKey(request)
    void reply.header('www-authenticate', 'Basic realm="oauth", charset="UTF-8"')
  }
  return reply
    .code(isUnknown ? 401 : 400)
    .headers(NOT_KEPT)
    .send({ error: fault, error_description: message })
}

function metadataOf(issuer: string) {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/oauth/jwks`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  }
}
