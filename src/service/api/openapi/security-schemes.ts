import type { Scope } from '../../../contract/api/scope.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { Json } from './json-schema.ts'

export interface Issuing {
  /** Where the API is reached from outside. */
  baseUrl: string
  /** Who issues access tokens, where that is not the service. */
  oauthIssuer: string | undefined
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'agreements:read': 'Read agreements.',
  'agreements:write': 'Make, amend, suspend and cancel agreements.',
  'payments:read': 'Read the payments of agreements.',
  'payments:write': 'Make payments under agreements.',
}

/** How a caller says who it is, by the kind of key. */
export const securitySchemes = (
  issuing: Issuing,
): Readonly<Record<Exclude<Operation['key'], 'none'>, Json>> => ({
  public: {
    type: 'apiKey',
    in: 'header',
    name: 'x-user-public-key',
    description: 'Shows the form and tokenises; may stand in a page.',
  },
  secret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-user-secret-key',
    description: "Everything a merchant's server does; never leaves it.",
  },
  oauth: oauthScheme(issuing),
  checkout: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of one checkout, for its page.',
  },
  metrics: {
    type: 'http',
    scheme: 'bearer',
    description: 'Set by the operator as SVC_METRICS_TOKEN.',
  },
})

/** Where another issuer hands out tokens its own metadata says (RFC 8414). */
function oauthScheme({ baseUrl, oauthIssuer }: Issuing): Json {
  const isOurs = oauthIssuer === undefined
  return {
    type: 'oauth2',
    description: isOurs
      ? 'An access token of 15 minutes, for agreements and their payments.'
      : `An access token of ${oauthIssuer}, for agreements and their payments. Its metadata names the token endpoint.`,
    flows: {
      clientCredentials: { tokenUrl: isOurs ? `${baseUrl}/oauth/token` : oauthIssuer, scopes: SCOPE_WORDS },
    },
  }
}
