import type { FastifyInstance } from 'fastify'
import { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import { decodeBody } from '../../platform/http/requests/decode.ts'
import type { FrameAccess } from '../../platform/http/callers/frame-access.ts'
import { idempotencyKeyOf } from '../../platform/idempotency/idempotency-key.ts'
import { pageCredentialsOf } from '../../platform/http/callers/page-credentials.ts'
import type { PageCredentials } from '../../platform/page-credentials.ts'
import { tokenOperation } from './token-operation.ts'
import type { Tokens } from './tokens.ts'

/** The merchant and gateway of the checkout whose page asks; null for a page without a checkout's token. */
export type CheckoutOf = (
  credentials: PageCredentials,
) => Promise<{ merchantId: string; gatewayId: string } | null>

interface Parts {
  tokens: Tokens
  authenticate: Authenticate<{ id: string }>
  checkoutOf: CheckoutOf
  frameAccess: FrameAccess
}

const PATH = '/v1/payment_sources/tokens'

/** `POST /v1/payment_sources/tokens` (contract §3). */
export function addPaymentSourceRoutes(
  app: FastifyInstance,
  { tokens, authenticate, checkoutOf, frameAccess }: Parts,
): void {
  const { onRequest } = frameAccess
  app.post(
    PATH,
    { config: { resourceType: 'token', operation: tokenOperation, takesCards: true }, onRequest },
    async (request, reply) => {
      const checkout = await checkoutOf(pageCredentialsOf(request))
      const merchantId = checkout?.merchantId ?? (await authenticate(request, 'public')).id
      const key = idempotencyKeyOf(request)
      const asked = decodeBody(TokeniseRequest, request.body, ['card_number'])
      const card = checkout === null ? asked : { ...asked, gateway_id: checkout.gatewayId }
      const { token, isReplay } = await tokens.tokenise(merchantId, card, key)
      if (isReplay) void reply.header('idempotent-replayed', 'true')
      return answer(reply, 201, 'token', token)
    },
  )

  frameAccess.addPreflight(app, PATH, {
    method: 'POST',
    headers: 'content-type, x-user-public-key, authorization, idempotency-key',
  })
}
