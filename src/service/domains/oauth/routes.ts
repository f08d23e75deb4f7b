import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { TimeOfDay } from '../../platform/clocks.ts'
import type { CountWrongKey } from '../../platform/http/callers/admission.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { formOf } from '../../platform/http/requests/bodies.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { Clients } from './clients.ts'
import type { SigningKeys } from './signing-keys.ts'
import { LIFETIME_SECONDS, issueToken } from './tokens.ts'

interface IssuerDeps {
  clients: Clients
  keys: SigningKeys
  /** The service's own address. */
  issuer: string
  createId: CreateId
  timeOfDay: TimeOfDay
  countWrongKey: CountWrongKey
}

/** The built-in issuer: its token endpoint (RFC 6749), its keys (RFC 7517) and what it says of itself (RFC 8414). */
export function addIssuerRoutes(app: FastifyInstance, deps: IssuerDeps): void {
  const { keys, issuer } = deps
  app.post(
    '/oauth/token',
    {
      config: { takesForm: true, resourceType: 'token', operation: operations.token },
      bodyLimit: BODY_LIMIT_BYTES,
    },
    async (request, reply) => {
      try {
        return await reply.headers(NOT_KEPT).send(await tokenFor(request, deps))
      } catch (error) {
        if (error instanceof TokenRefusal) return refuse(request, reply, error, deps)
        throw error
      }
    },
  )

  app.get('/oauth/jwks', { config: { operation: operations.keys } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await keys.published()),
  )

  const metadata = metadataOf(issuer)
  app.get(
    '/.well-known/oauth-authorization-server',
    { config: { operation: operations.metadata } },
    (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(metadata),
  )
}

/** An id, a secret, a grant and every scope. */
const BODY_LIMIT_BYTES = 4096

/** RFC 6749, section 5.1. */
const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }

async function tokenFor(request: FastifyRequest, deps: IssuerDeps) {
  const form = formOf(request)
  const { headers, url } = request
  // Addresses are logged on the way.
  if (url.includes('?')) throw new TokenRefusal('invalid_request', 'Send all parameters in the body.')
  const { credentials, scope } = tokenRequestOf(form, headers.authorization)
  const client = await deps.clients.withSecret(credentials.id, credentials.secret)
  if (client === null) throw unknownClient()
  const scopes = grantedScopes(scope, client.scopes)
  return {
    access_token: await issueToken(deps, client.id, scopes),
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
  { countWrongKey }: IssuerDeps,
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

/** Why a token is not given (RFC 6749, section 5.2). */
type TokenFault = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A refusal of the token endpoint, with words for the developer at the other end. */
class TokenRefusal extends Error {
  readonly fault: TokenFault

  constructor(fault: TokenFault, words: string) {
    super(words)
    this.name = 'TokenRefusal'
    this.fault = fault
  }
}

/** How a client says who it is. */
interface ClientCredentials {
  id: string
  secret: string
}

/** The client and the scopes of a request by the client-credentials grant (RFC 6749, section 4.4); throws a `TokenRefusal`. */
function tokenRequestOf(form: URLSearchParams, authorization: string | undefined) {
  const names = [...form.keys()]
  if (new Set(names).size < names.length)
    throw new TokenRefusal('invalid_request', 'Give each parameter once.')
  // One without a value counts as left out (section 3.2).
  const given = (name: string): string | undefined =>
    form.get(name) === '' ? undefined : (form.get(name) ?? undefined)
  const credentials = credentialsOf(authorization, given('client_id'), given('client_secret'))
  const grantType = given('grant_type')
  if (grantType === undefined) throw new TokenRefusal('invalid_request', 'Give a grant_type.')
  if (grantType !== 'client_credentials')
    throw new TokenRefusal('unsupported_grant_type', 'The only grant_type is client_credentials.')
  return { credentials, scope: given('scope') }
}

/** A client names itself by HTTP Basic or in the body, not by both (RFC 6749, section 2.3). */
function credentialsOf(
  authorization: string | undefined,
  id: string | undefined,
  secret: string | undefined,
): ClientCredentials {
  if (authorization === undefined) {
    if (id === undefined || secret === undefined) throw unknownClient()
    return { id, secret }
  }
  if (secret !== undefined)
    throw new TokenRefusal('invalid_request', 'Name the client by HTTP Basic or in the body, not by both.')
  const basic = basicCredentialsOf(authorization)
  if (basic === null) throw unknownClient()
  if (id !== undefined && id !== basic.id)
    throw new TokenRefusal('invalid_request', 'client_id names another client than HTTP Basic does.')
  return basic
}

function unknownClient(): TokenRefusal {
  return new TokenRefusal('invalid_client', 'There is no such client with such a secret.')
}

/** Id and secret are each written as in a form before they are joined (RFC 6749, section 2.3.1). */
function basicCredentialsOf(authorization: string): ClientCredentials | null {
  const encoded = /^Basic +([\w+/-]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return null
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return null
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return null
  }
}

/** Throws a `URIError` for a `%` without a code. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

const isScope = v.picklist(SCOPES)

/** The scopes that a client gets: those that it asks for, or all of its own if it names none. */
function grantedScopes(scope: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  if (scope === undefined) return allowed
  const asked = scope.split(' ')
  const unknown = asked.find((one) => !v.is(isScope, one) || !allowed.includes(one))
  if (unknown !== undefined)
    throw new TokenRefusal('invalid_scope', `This client may have: ${allowed.join(' ')}.`)
  return SCOPES.filter((one) => asked.includes(one))
}

const TokenForm = v.object({
  grant_type: v.literal('client_credentials'),
  scope: v.optional(v.string()),
  client_id: v.optional(v.string()),
  client_secret: v.optional(v.string()),
})

const open = { group: 'Access', key: 'none' } as const
const json = 'application/json'

/** The routes of the built-in issuer as the OpenAPI document shows them; they answer as OAuth has it, not in the envelope. */
const operations = {
  token: {
    ...open,
    id: 'createAccessToken',
    summary: 'Get an access token',
    description:
      'By the client-credentials grant of RFC 6749. The client names itself by HTTP Basic, or in the form. Refusals are `{error, error_description}`, as section 5.2 has them.',
    body: {
      schema: TokenForm,
      words: { scope: 'Separated by spaces. All scopes of the client, when left out.' },
      example: { grant_type: 'client_credentials', scope: 'agreements:read payments:read' },
      isForm: true,
    },
    answers: [
      { status: 200, words: '`{access_token, token_type, expires_in, scope}`', media: json },
      {
        status: 400,
        words: '`invalid_request`, `unsupported_grant_type` or `invalid_scope`.',
        media: json,
      },
      { status: 401, words: '`invalid_client`: there is no such client with such a secret.', media: json },
    ],
  },
  keys: {
    ...open,
    id: 'getSigningKeys',
    summary: 'The keys that access tokens are signed with',
    answers: [{ status: 200, words: 'A JSON Web Key Set (RFC 7517).', media: json }],
  },
  metadata: {
    ...open,
    id: 'getAuthorizationServer',
    summary: 'What the issuer of access tokens can do',
    answers: [{ status: 200, words: 'Metadata as RFC 8414 has it.', media: json }],
  },
} satisfies Record<string, Operation>
