import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  CheckoutPayment,
  CheckoutPaymentRequest,
  CheckoutSession,
} from '../../../contract/api/checkouts/checkout-session.ts'
import { DECLINE_CODES } from '../../../contract/api/decline-codes.ts'
import type { RouteAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { rememberedForRequest } from '../../platform/http/callers/authenticate.ts'
import { pageCredentialsOf } from '../../platform/http/callers/page-credentials.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decodeBody } from '../../platform/http/requests/decode.ts'
import { toSessionResource } from './session-resource.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Intent } from './intent.ts'
import { payIntent } from './pay-intent.ts'
import { intentOfPage, viewIntent } from './payers.ts'

const SESSION = '/v1/checkouts/session'
const PAYMENTS = `${SESSION}/payments`
/** A payment source is one short token. */
const BODY_LIMIT_BYTES = 4096

/** The routes that the page of an intent calls with the intent's token (contract §5). */
export function addPayerRoutes(
  app: FastifyInstance,
  deps: CheckoutsDeps,
  { frameAccess }: RouteAccess,
): void {
  const { onRequest, addPreflight } = frameAccess
  const intentOf = rememberedForRequest((request: FastifyRequest) =>
    intentOfPage(deps, pageCredentialsOf(request)),
  )

  app.get(
    SESSION,
    { config: { resourceType: 'checkout_session', operation: payerOperations.session }, onRequest },
    async (request, reply) => {
      const intent = await viewIntent(deps, pageCredentialsOf(request))
      const merchant = await deps.merchants.find(intent.merchantId)
      return answer(
        reply,
        200,
        'checkout_session',
        toSessionResource(intent, merchant?.name ?? '', await shownStepOf(deps, intent)),
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
      const paid = await payIntent(deps, { intentId: id, paymentSource, sourceIp: request.sender.address })
      return answer(reply, paid.isNew ? 201 : 200, 'checkout_payment', toPaymentResource(paid.intent))
    },
  )

  const headers = 'authorization, content-type'
  addPreflight(app, SESSION, { method: 'GET', headers })
  addPreflight(app, PAYMENTS, { method: 'POST', headers })
}

/** Of the payment that an intent is under way with; null without one, and where it waits for nobody. */
async function shownStepOf(deps: CheckoutsDeps, { status, chargeId }: Intent) {
  return status === 'active' && chargeId !== null ? deps.shownStepOf(chargeId) : null
}

function toPaymentResource({ id, chargeId }: Intent): CheckoutPayment {
  return { intent_id: id, charge_id: chargeId ?? '', status: 'completed' }
}

const intent_id = '6b01799184f819f4cecbe1a7'

const session: DescribedResource = {
  name: 'CheckoutSession',
  schema: CheckoutSession,
  words: {
    configuration: "Fields and schemes, in the words of the widget's settings.",
    return_url: 'The page of the shop to which the page leads back who can’t pay; null without one.',
    charge_id: 'The charge that paid it; null until then.',
    payment_under_way: 'A payment was begun, in any page, and what came of it is not known yet.',
    _3ds: 'The bank wants to ask the card holder: what the page shows its step with.',
  },
  example: {
    intent_id,
    version: 1,
    status: 'active',
    amount: 10,
    currency: 'AUD',
    reference: 'order-1',
    description: null,
    merchant_name: 'Acme',
    return_url: 'https://shop.example/basket',
    expires_at: '2026-11-21T10:16:00.000Z',
    charge_id: null,
    payment_under_way: false,
    configuration: {},
    customisation: {},
    customer: {},
  },
}
const payment: DescribedResource = {
  name: 'CheckoutPayment',
  schema: CheckoutPayment,
  example: { intent_id, charge_id: '6b0179a284f819f4cecbe1b0', status: 'completed' },
}

const DocumentQuery = v.object({ intent_id: v.optional(v.string()) })
const ofDocument = {
  schema: DocumentQuery,
  words: { intent_id: 'The intent of the document that asks: a token of another one is refused.' },
}

/** What the page of a checkout calls, as the OpenAPI document shows it (contract §5). */
export const payerOperations = {
  session: {
    id: 'getCheckoutSession',
    group: 'Checkout page',
    key: 'checkout',
    summary: 'Read the checkout of a token',
    query: ofDocument,
    answers: [{ status: 200, words: 'What the page shows.', resource: session }],
    errors: ['token_expired', 'forbidden'],
  },
  pay: {
    id: 'payCheckout',
    group: 'Checkout page',
    key: 'checkout',
    pageExample: `<div id="checkout"></div>
<script src="https://YOUR-SERVICE/sdk/latest/widget.umd.min.js"></script>
<script>
  new svc.Checkout('#checkout', 'TOKEN').onPaymentSuccessful(({ charge_id }) => console.log(charge_id))
</script>`,
    summary: 'Pay the checkout of a token',
    query: ofDocument,
    description:
      "Charges the checkout's own amount, once: a second page gets 200 and the same charge, or 409 while the first is under way: where the bank wants to ask the card holder, the session then has `_3ds`.",
    body: {
      schema: CheckoutPaymentRequest,
      words: { payment_source: 'A one-time token, made with the public key or with this bearer token.' },
      example: { payment_source: '$TOKEN' },
    },
    answers: [
      { status: 201, words: 'Paid by this card.', resource: payment },
      { status: 200, words: 'It was paid before: the charge that paid it.', resource: payment },
    ],
    errors: [
      'token_expired',
      'forbidden',
      'token_not_found',
      'checkout_expired',
      'unfulfilled_condition',
      'request_in_progress',
      ...DECLINE_CODES,
      'authorisation_expired',
      'feature_not_enabled',
      'gateway_unavailable',
      'outcome_unknown',
    ],
  },
} as const satisfies Record<string, Operation>
