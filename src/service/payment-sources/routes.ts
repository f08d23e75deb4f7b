import type { FastifyInstance, FastifyReply } from 'fastify'
import { TokeniseRequest } from '../../contract/payment-source-token.ts'
import { answer } from '../http/answer.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { decode } from '../http/decode.ts'
import { refuseCardNumbers } from '../http/refuse-card-numbers.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { tokenOperation } from './token-operation.ts'
import type { Tokens } from './tokens.ts'

interface Parts {
  tokens: Tokens
  authenticate: Authenticate<{ id: string }>
  /** Origin that the frame is served from: its page, and no other, may tokenise across origins. */
  widgetOrigin: string
}

const PATH = '/v1/payment_sources/tokens'

/** `POST /v1/payment_sources/tokens` (contract §3). */
export function addPaymentSourceRoutes(
  app: FastifyInstance,
  { tokens, authenticate, widgetOrigin }: Parts,
): void {
  const allowFrame = (reply: FastifyReply) =>
    reply.headers({ 'access-control-allow-origin': widgetOrigin, vary: 'origin' })

  app.post(
    PATH,
    {
      config: { resourceType: 'token', operation: tokenOperation, takesCards: true },
      onRequest: async (_request, reply) => void allowFrame(reply),
    },
    async (request, reply) => {
      const merchant = await authenticate(request, 'public')
      const key = idempotencyKeyOf(request)
      const card = decode(TokeniseRequest, request.body)
      refuseCardNumbers(card, ['card_number'])
      const { token, isReplay } = await tokens.tokenise(merchant.id, card, key)
      if (isReplay) void reply.header('idempotent-replayed', 'true')
      return answer(reply, 201, 'token', token)
    },
  )

  app.options(PATH, (_request, reply) =>
    allowFrame(reply)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-user-public-key, idempotency-key',
        'access-control-max-age': '7200',
      })
      .code(204)
      .send(),
  )
}
