import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TokeniseRequest } from '../../../contract/api/payment-source-token.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Authenticate } from '../../platform/http/authenticate.ts'
import { decode } from '../../platform/http/decode.ts'
import type { FrameAccess } from '../../platform/http/frame-access.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency-key.ts'
import { tokenOperation } from './token-operation.ts'
import type { Tokens } from './tokens.ts'

interface Parts {
  tokens: Tokens
  authenticate: Authenticate<{ id: string }>
  /** For whom a page without a key tokenises, and for which gateway: that of its checkout; null when it has none. */
  tokeniserOf: (request: FastifyRequest) => Promise<{ merchantId: string; gatewayId: string } | null>
  frameAccess: FrameAccess
}

const PATH = '/v1/payment_sources/tokens'

/** `POST /v1/payment_sources/tokens` (contract §3). */
export function addPaymentSourceRoutes(
  app: FastifyInstance,
  { tokens, authenticate, tokeniserOf, frameAccess }: Parts,
): void {
  const { onRequest } = frameAccess
  app.post(
    PATH,
    { config: { resourceType: 'token', operation: tokenOperation, takesCards: true }, onRequest },
    async (request, reply) => {
      const checkout = await tokeniserOf(request)
      const merchantId = checkout?.merchantId ?? (await authenticate(request, 'public')).id
      const key = idempotencyKeyOf(request)
      const asked = decode(TokeniseRequest, request.body, ['card_number'])
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
