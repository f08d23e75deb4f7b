import * as v from 'valibot'
import type { Operation } from '../../platform/http/operation.ts'

const TokenForm = v.object({
  grant_type: v.literal('client_credentials'),
  scope: v.optional(v.string()),
  client_id: v.optional(v.string()),
  client_secret: v.optional(v.string()),
})

const open = { group: 'Access', key: 'none' } as const
const json = 'application/json'

/** The routes of the built-in issuer as the OpenAPI document shows them; they answer as OAuth has it, not in the envelope. */
export const issuerOperations = {
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
