import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CheckoutPaymentRequest } from '../../../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutPayment } from '../../../../contract/api/checkouts/checkout-session.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import { rememberedForRequest } from '../../../platform/http/callers/authenticate.ts'
import { decodeBody } from '../../../platform/http/requests/decode.ts'
import type { FrameAccess } from '../../../platform/http/callers/frame-access.ts'
import { pageCredentialsOf } from '../../../platform/http/callers/page-credentials.ts'
import type { Intent } from '../intents/intent.ts'
import { payerOperations } from './payer-operations.ts'
import type { PayIntent } from './pay-intent.ts'
import { toSessionResource } from './session-resource.ts'
import type { Payers } from './payers.ts'

interface Parts {
  payers: Payers
  payIntent: PayIntent
  /** The merchant's name as card holders read it. */
  nameOf: (merchantId: string) => Promise<string>
  frameAccess: FrameAccess
}

const SESSION = '/v1/checkouts/session'
const PAYMENTS = `${SESSION}/payments`
/** A payment source is one short token. */
const BODY_LIMIT_BYTES = 4096

/** What the page of an intent calls with the intent's token (contract §5). */
export function addPayerRoutes(
  app: FastifyInstance,
  { payers, payIntent, nameOf, frameAccess }: Parts,
): void {
  const { onRequest, addPreflight } = frameAccess
  const intentOf = rememberedForRequest((request: FastifyRequest) =>
    payers.intentOf(pageCredentialsOf(request)),
  )

  app.get(
    SESSION,
    { config: { resourceType: 'checkout_session', operation: payerOperations.session }, onRequest },
    async (request, reply) => {
      const intent = await payers.view(pageCredentialsOf(request))
      return answer(
        reply,
        200,
        'checkout_session',
        toSessionResource(intent, await nameOf(intent.merchantId)),
      )
    },
  )

  // Takes no Idempotency-Key: an intent is paid once, so a repeated request is shown the payment that there is.
  app.post(
    PAYMENTS,
    {
      config: { resourceType: 'checkout_payment', operation: payerOperations.pay },
      bodyLimit: BODY_LIMIT_BYTES,
      onRequest,
      preParsing: async (request) => {
        await intentOf(request)
      },
    },
    async (request, reply) => {
      const { id } = await intentOf(request)
      const { payment_source: paymentSource } = decodeBody(CheckoutPaymentRequest, request.body, [
        'payment_source',
      ])
      const paid = await payIntent({ intentId: id, paymentSource, sourceIp: request.sender.address })
      return answer(reply, paid.isNew ? 201 : 200, 'checkout_payment', toPaymentResource(paid.intent))
    },
  )

  const headers = 'authorization, content-type'
  addPreflight(app, SESSION, { method: 'GET', headers })
  addPreflight(app, PAYMENTS, { method: 'POST', headers })
}

function toPaymentResource({ id, chargeId }: Intent): CheckoutPayment {
  return { intent_id: id, charge_id: chargeId ?? '', status: 'completed' }
}
