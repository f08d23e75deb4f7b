import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { Authenticate } from '../../platform/http/callers/authenticate.ts'
import { rememberedForRequest } from '../../platform/http/callers/authenticate.ts'
import { decodeBody } from '../../platform/http/requests/decode.ts'
import type { FrameAccess } from '../../platform/http/callers/frame-access.ts'
import { idempotencyKeyOf } from '../../platform/idempotency.ts'
import { pageCredentialsOf } from '../../platform/http/callers/page-credentials.ts'
import type { PageCredentials } from '../../platform/http/callers/page-credentials.ts'
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
/** Every field at its longest, also where each character is an escape of six. */
const BODY_LIMIT_BYTES = 32 * 1024

/** `POST /v1/payment_sources/tokens` (contract §3). */
export function addPaymentSourceRoutes(
  app: FastifyInstance,
  { tokens, authenticate, checkoutOf, frameAccess }: Parts,
): void {
  const { onRequest } = frameAccess
  const whose = rememberedForRequest(async (request: FastifyRequest) => {
    const checkout = await checkoutOf(pageCredentialsOf(request))
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
      const key = idempotencyKeyOf(request)
      const asked = decodeBody(TokeniseRequest, request.body, ['card_number'])
      const card = gatewayId === null ? asked : { ...asked, gateway_id: gatewayId }
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
