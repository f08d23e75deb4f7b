import * as v from 'valibot'
import { agreementCalls, agreementOf } from '../../domains/agreements/testing/agreement-calls.ts'
import { disputedCharge } from '../../domains/disputes/testing/disputed-charge.ts'
import { askedHolder } from '../asked-holder.ts'
import type { TestService } from '../test-service.ts'
import { makeWebhook, sendWebhooks } from '../webhook-receiver.ts'

/** Prepares the state that an example begins with; returns the values of its variables: `$ID`, `$TOKEN` … */
type Begin = () => Promise<Record<string, string>>

/** By the ids of operations. Those that are not named need nothing but keys. */
export async function exampleStates(service: TestService): Promise<Record<string, Begin>> {
  return {
    ...chargeStates(service),
    ...authenticationStates(service),
    ...disputeStates(service),
    ...checkoutStates(service),
    ...webhookStates(service),
    ...(await agreementStates(service)),
  }
}

const Identified = v.object({ _id: v.string() })

/** Sends requests with the merchant's secret key; returns the answer's data. */
const postBy = (service: TestService) => async (url: string, payload: object) => {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  return (await service.call({ method: 'POST', url, headers, payload })).body.resource.data
}

function chargeStates(service: TestService): Record<string, Begin> {
  const post = postBy(service)
  const held = async () => ({ ID: (await service.authorise({ reference: 'order-1' }))._id })
  const taken = async () => {
    const { ID } = await held()
    await post(`/v1/charges/${ID}/capture`, {})
    return { ID }
  }
  return {
    createCharge: async () => ({ TOKEN: await service.tokenise() }),
    captureCharge: held,
    cancelCharge: held,
    refundCharge: taken,
    getCharge: taken,
    updateCharge: taken,
    listCharges: taken,
  }
}

/** The test card whose bank looks at the browser in a hidden frame, and then asks for a code. */
const LOOKS_THEN_ASKS = '4970110000002027'

function authenticationStates(service: TestService): Record<string, Begin> {
  const asked = (card?: string) => async () => {
    const { id, token } = await askedHolder(service, card)
    return { ID: id, AUTHENTICATION_TOKEN: token }
  }
  return {
    getAuthentication: asked(),
    tellAuthentication: asked(LOOKS_THEN_ASKS),
    giveUpAuthentication: asked(),
    returnFromBank: asked(),
    returnFromBankByForm: asked(),
  }
}

const MadeDispute = v.object({ _id: v.string(), documents: v.array(v.object({ _id: v.string() })) })

function disputeStates(service: TestService): Record<string, Begin> {
  const post = postBy(service)
  const disputed = async () => {
    const { _id } = await disputedCharge(service, '9000.41')
    const headers = { 'x-user-secret-key': service.merchant.secretKey }
    const { body } = await service.call({ url: `/v1/disputes?charge_id=${_id}`, headers })
    return { ID: v.parse(v.tuple([Identified]), body.resource.data)[0]._id }
  }
  const documented = async () => {
    const { ID } = await disputed()
    const file = {
      type: 'proof_of_delivery',
      name: 'delivery.pdf',
      content_type: 'application/pdf',
      content: 'JVBERi0xLjQKJSVFT0YK',
    }
    const { documents } = v.parse(MadeDispute, await post(`/v1/disputes/${ID}/documents`, file))
    return { ID, DOCUMENT_ID: documents[0]?._id ?? '' }
  }
  return {
    listDisputes: disputed,
    getDispute: disputed,
    listDefences: disputed,
    addDisputeDocument: disputed,
    removeDisputeDocument: documented,
    getDisputeDocument: documented,
    acceptDispute: disputed,
    defendDispute: documented,
  }
}

const MadeCheckout = v.object({ _id: v.string(), token: v.string() })

function checkoutStates(service: TestService): Record<string, Begin> {
  const post = postBy(service)
  const checkout = async () => {
    const made = v.parse(MadeCheckout, await post('/v1/checkouts/intent', { version: 1, amount: '10.00' }))
    return { ID: made._id, INTENT_TOKEN: made.token }
  }
  const template = async () => {
    const content = { version: 1, content: { schemes: ['visa'] } }
    return { ID: v.parse(Identified, await post('/v1/checkouts/templates?type=configuration', content))._id }
  }
  return {
    getCheckout: checkout,
    cancelCheckout: checkout,
    updateCheckout: checkout,
    listCheckouts: checkout,
    getCheckoutSession: checkout,
    payCheckout: async () => ({ ...(await checkout()), TOKEN: await service.tokenise() }),
    getCheckoutTemplate: template,
    listCheckoutTemplates: template,
    replaceCheckoutTemplate: template,
  }
}

const MadeDelivery = v.object({ event_id: v.string() })

function webhookStates(service: TestService): Record<string, Begin> {
  const post = postBy(service)
  const webhookFor = async (event: string) =>
    (await makeWebhook(service, { url: 'http://localhost:9/hooks', events: [event] }))._id
  const webhook = async () => ({ ID: await webhookFor('charge.captured') })
  const tried = async () => {
    // No example causes an event of this type, so the webhook gets the test message alone, even if other events are sealed late.
    const ID = await webhookFor('charge.refund_failed')
    const { event_id: EVENT_ID } = v.parse(MadeDelivery, await post(`/v1/webhooks/${ID}/test`, {}))
    await sendWebhooks(service)
    return { ID, EVENT_ID }
  }
  const happened = async () => {
    const { _id: ID } = await service.authorise()
    await post(`/v1/charges/${ID}/capture`, {})
    await sendWebhooks(service)
    const headers = { 'x-user-secret-key': service.merchant.secretKey }
    const { body } = await service.call({ url: '/v1/events?limit=1', headers })
    return { ID: v.parse(v.tuple([Identified]), body.resource.data)[0]._id }
  }
  return {
    listEvents: happened,
    getEvent: happened,
    getWebhook: webhook,
    listWebhooks: webhook,
    updateWebhook: webhook,
    rollWebhookSecret: webhook,
    deleteWebhook: webhook,
    testWebhook: webhook,
    listWebhookDeliveries: tried,
    resendWebhookDelivery: tried,
  }
}

const monthly = {
  type: 'recurring',
  payment_terms: { amount_type: 'fixed', amount: '49.90', frequency: 'monthly' },
}

async function agreementStates(service: TestService): Promise<Record<string, Begin>> {
  const agreements = await agreementCalls(service)
  const created = async () => {
    const { _id: ID } = agreementOf(await agreements.create())
    await agreements.exchange()
    return { ID }
  }
  const active = async () => ({ ID: (await agreements.createActive(monthly))._id })
  const paid = async () => {
    const { ID: agreement } = await active()
    const { body } = await agreements.pay(agreement, { amount: '49.90', reference: 'invoice-2026-11' })
    return { agreement, payment: v.parse(Identified, body.resource.data)._id }
  }
  return {
    getAgreement: active,
    listAgreements: active,
    amendAgreement: active,
    changeAgreementStatus: active,
    createAgreementPayment: active,
    listAgreementPayments: async () => ({ ID: (await paid()).agreement }),
    getAgreementPayment: async () => ({ ID: (await paid()).payment }),
    readAgreementAsPayer: created,
    answerAgreementAsPayer: created,
  }
}
