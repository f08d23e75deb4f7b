import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { TokeniseRequest, TokenResource } from '../../../contract/api/charges/payment-source-token.ts'
import type { RouteAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { rememberedForRequest } from '../../platform/http/callers/authenticate.ts'
import { decodeBody } from '../../platform/http/requests/decode.ts'
import { idempotencyKeyOf } from '../../platform/idempotency.ts'
import { pageCredentialsOf } from '../../platform/http/callers/page-credentials.ts'
import type { PageCredentials } from '../../platform/http/callers/page-credentials.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { tokenise } from './tokens.ts'
import type { TokensDeps } from './tokens.ts'

/** The merchant and gateway of the checkout whose page asks; null if the page has no checkout's token. */
export type CheckoutOf = (
  credentials: PageCredentials,
) => Promise<{ merchantId: string; gatewayId: string } | null>

const PATH = '/v1/payment_sources/tokens'
/** Every field at its longest, even if each character is an escape of six. */
const BODY_LIMIT_BYTES = 32 * 1024

/** `POST /v1/payment_sources/tokens` (contract §3). */
export function addPaymentSourceRoutes(
  app: FastifyInstance,
  deps: TokensDeps & { checkoutOf: CheckoutOf },
  { authenticate, frameAccess }: RouteAccess,
): void {
  const { onRequest } = frameAccess
  const whose = rememberedForRequest(async (request: FastifyRequest) => {
    const checkout = await deps.checkoutOf(pageCredentialsOf(request))
    const merchantId = checkout?.merchantId ?? (await authenticate(request, 'public')).id
    return { merchantId, gatewayId: checkout?.gatewayId ?? null }
  })
  const preParsing = async (request: FastifyRequest) => {
    await whose(request)
  }
  app.post(
    PATH,
    {
      config: { resourceType: 'token', operation: tokenOperation, takesCards: true },
      bodyLimit: BODY_LIMIT_BYTES,
      onRequest,
      preParsing,
    },
    async (request, reply) => {
      const { merchantId, gatewayId } = await whose(request)
      const { accept = '*/*', 'user-agent': userAgent = '' } = request.headers
      const idempotencyKey = idempotencyKeyOf(request)
      const asked = decodeBody(TokeniseRequest, request.body, ['card_number'])
      const card = gatewayId === null ? asked : { ...asked, gateway_id: gatewayId }
      const caller = {
        idempotencyKey,
        accept: accept.slice(0, 500),
        userAgent: userAgent.slice(0, 500),
        address: request.sender.address,
      }
      const { token, isReplay } = await tokenise(deps, merchantId, card, caller)
      if (isReplay) void reply.header('idempotent-replayed', 'true')
      return answer(reply, 201, 'token', token)
    },
  )

  frameAccess.addPreflight(app, PATH, {
    method: 'POST',
    headers: 'content-type, x-user-public-key, authorization, idempotency-key',
  })
}

/** The tokenise route as the OpenAPI document describes it (contract §3). */
export const tokenOperation: Operation = {
  id: 'createToken',
  group: 'Payment sources',
  summary: 'Turn a card into a one-time token',
  description:
    'The widget does this, so that the card number never enters a page or a server of yours. The token serves one charge, within three hours. The page of a checkout sends `Authorization: Bearer` with its token in place of the key; the gateway is then the checkout’s own. An `Idempotency-Key` must be random here (a UUID, or 22 random characters or more), as the token is derived from it.',
  key: 'public',
  query: {
    schema: v.object({ intent_id: v.optional(v.string()) }),
    words: { intent_id: 'Sent by the document of a checkout: a token of another intent is refused.' },
  },
  body: {
    schema: TokeniseRequest,
    words: {
      gateway_id: "One of the merchant's gateways; `default` is the one marked so.",
      card_number: '12 to 19 digits; spaces and dashes between them do no harm.',
      expire_month: '1 to 12.',
      expire_year: 'Two or four digits.',
      card_ccv:
        'The code on the card: three or four digits. Left out for a Maestro or UnionPay card that has none.',
    },
    example: {
      type: 'card',
      card_name: 'Grace Hopper',
      card_number: '5111111111111118',
      expire_month: '01',
      expire_year: '39',
      card_ccv: '100',
    },
  },
  pageExample: `<div id="card"></div>
<script src="https://YOUR-SERVICE/sdk/latest/widget.umd.min.js"></script>
<script>
  const widget = new svc.HtmlWidget('#card', 'PUBLIC_KEY')
  widget.on('finish', ({ payment_source }) => console.log(payment_source))
  widget.load()
</script>`,
  isRepeatable: true,
  errors: ['gateway_not_found', 'token_expired', 'checkout_expired', 'forbidden'],
  answers: [
    {
      status: 201,
      words: 'The token.',
      resource: {
        name: 'Token',
        schema: TokenResource.entries.data,
        example: '4f1c1f38-94a5-4f0b-8a0e-6c1f2b0f8a11',
      },
    },
  ],
}
