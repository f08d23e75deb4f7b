import { checkedOptions } from './client-options.ts'
import type { ClientOptions } from './client-options.ts'
import type {
  Agreement,
  AgreementPayment,
  AgreementValidation,
  AmendAgreement,
  ChangeAgreementStatus,
  CreateAgreement,
  CreateAgreementPayment,
  ListAgreementPayments,
  ListAgreements,
  CaptureCharge,
  Charge,
  CreateCharge,
  ListCharges,
  RefundCharge,
  UpdateCharge,
  CheckoutTemplate,
  CreateCheckoutTemplate,
  ListCheckoutTemplates,
  Checkout,
  CheckoutVersion,
  CheckoutWithJourney,
  CreateCheckout,
  UpdateCheckout,
  ListCheckouts,
  AddDisputeDocument,
  DefendDispute,
  Dispute,
  DisputeDefences,
  ListDisputes,
  Event,
  ListEvents,
  CreateWebhook,
  ListWebhookDeliveries,
  RollWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
} from './operations.ts'
import type { Api } from './sending/api.ts'
import type { CallOptions, ChangeOptions, ReadOptions } from './sending/call-options.ts'
import type { List } from './sending/list.ts'
import { createApi } from './sending/api.ts'
import { nodeRuntime } from './sending/runtime.ts'
import type { Runtime } from './sending/runtime.ts'
import { checkedLimits } from './sending/retry-limits.ts'

/**
 * A client of the service for a merchant's server. Each call is one request, sent again under the same Idempotency-Key where that
 * is safe and useful. A call that did not do what was asked throws an `SvcError`.
 */
export class SvcClient {
  readonly charges: Charges
  readonly disputes: Disputes
  readonly checkouts: Checkouts
  readonly checkoutTemplates: CheckoutTemplates
  readonly webhooks: Webhooks
  readonly events: Events
  readonly agreements: Agreements

  /** Throws a `TypeError` where an option is wrong. `runtime` is for tests. */
  constructor(options: ClientOptions, runtime: Partial<Runtime> = {}) {
    const api = createApi({
      options: checkedOptions(options),
      limits: checkedLimits(options.retries),
      runtime: { ...nodeRuntime, ...runtime },
    })
    this.charges = new Charges(api)
    this.disputes = new Disputes(api)
    this.checkouts = new Checkouts(api)
    this.checkoutTemplates = new CheckoutTemplates(api)
    this.webhooks = new Webhooks(api)
    this.events = new Events(api)
    this.agreements = new Agreements(api)
  }
}

/** A payer's standing authority to be paid from its bank account, and the payments under it. These calls need `oauth`. */
class Agreements {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Asks a payer for its authority. It answers in its bank. */
  create(agreement: CreateAgreement, options?: CallOptions): Promise<Agreement> {
    return this.#api.call('createAgreement', { body: agreement }, options)
  }

  /** Checks a request as `create` would, but keeps nothing and does not ask the payer. */
  validate(agreement: CreateAgreement, options?: CallOptions): Promise<AgreementValidation> {
    return this.#api.call('validateAgreement', { body: agreement }, options)
  }

  /** Changes texts at once; changed terms take effect once the payer agrees. */
  amend(id: string, amendment: AmendAgreement, options?: ChangeOptions): Promise<Agreement> {
    return this.#api.call('amendAgreement', { params: { id }, body: amendment }, options)
  }

  /** Suspends, releases or cancels one. */
  changeStatus(id: string, change: ChangeAgreementStatus, options?: ChangeOptions): Promise<Agreement> {
    return this.#api.call('changeAgreementStatus', { params: { id }, body: change }, options)
  }

  /** Reads one, with its `history`. */
  retrieve(id: string, options?: ReadOptions): Promise<Agreement> {
    return this.#api.call('getAgreement', { params: { id } }, options)
  }

  /** Lists agreements, newest first. */
  list(filter: ListAgreements = {}, options?: ReadOptions): List<Agreement> {
    return this.#api.list('listAgreements', { query: filter }, options)
  }

  /** Takes a payment. It is sent to the network in the background: read it, or use a webhook, for its outcome. */
  pay(id: string, payment: CreateAgreementPayment, options?: CallOptions): Promise<AgreementPayment> {
    return this.#api.call('createAgreementPayment', { params: { id }, body: payment }, options)
  }

  /** Reads a payment, by its own id. */
  retrievePayment(paymentId: string, options?: ReadOptions): Promise<AgreementPayment> {
    return this.#api.call('getAgreementPayment', { params: { id: paymentId } }, options)
  }

  /** Lists the payments of an agreement, newest first. */
  payments(id: string, filter: ListAgreementPayments = {}, options?: ReadOptions): List<AgreementPayment> {
    return this.#api.list('listAgreementPayments', { params: { id }, query: filter }, options)
  }
}

/** Charges of cards. Amounts are decimal texts in units of the currency (`"10.00"`) in requests, and numbers in answers. */
class Charges {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /**
   * Takes the money at once, or with `capture: false` holds it: then the charge is `pending`. A decline is an `SvcError` with its
   * `charge`.
   */
  create(charge: CreateCharge, options?: CallOptions): Promise<Charge> {
    return this.#api.call('createCharge', { body: charge }, options)
  }

  /** Takes what is held: all of it, or a smaller `amount`, and the rest is released. */
  capture(id: string, part: CaptureCharge = {}, options?: CallOptions): Promise<Charge> {
    return this.#api.call('captureCharge', { params: { id }, body: part }, options)
  }

  /** Releases what is held. */
  cancel(id: string, options?: CallOptions): Promise<Charge> {
    return this.#api.call('cancelCharge', { params: { id } }, options)
  }

  /** Gives back what is left of what was captured, or a part of it: an `amount`. */
  refund(id: string, part: RefundCharge = {}, options?: CallOptions): Promise<Charge> {
    return this.#api.call('refundCharge', { params: { id }, body: part }, options)
  }

  /** Reads a charge. */
  retrieve(id: string, options?: ReadOptions): Promise<Charge> {
    return this.#api.call('getCharge', { params: { id } }, options)
  }

  /** Changes your words on it: `reference`, `description`, `metadata`. What is left out stays; null takes a text away. */
  update(id: string, words: UpdateCharge, options?: ChangeOptions): Promise<Charge> {
    return this.#api.call('updateCharge', { params: { id }, body: words }, options)
  }

  /** Lists charges, newest first. `{ metadata: { order_id: 'A1' } }` finds those with a text of yours. */
  list(filter: ListCharges = {}, options?: ReadOptions): List<Charge> {
    return this.#api.list('listCharges', { query: filter }, options)
  }
}

/** Templates of checkouts: a `configuration` says which cards and fields, a `customisation` how it looks. */
class CheckoutTemplates {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one. */
  create(
    type: CheckoutTemplate['type'],
    template: CreateCheckoutTemplate,
    options?: CallOptions,
  ): Promise<CheckoutTemplate> {
    return this.#api.call('createCheckoutTemplate', { query: { type }, body: template }, options)
  }

  /** Replaces all of one. Checkouts that were made before keep what it said then. */
  replace(id: string, template: CreateCheckoutTemplate, options?: CallOptions): Promise<CheckoutTemplate> {
    return this.#api.call('replaceCheckoutTemplate', { params: { id }, body: template }, options)
  }

  /** Reads one. */
  retrieve(id: string, options?: ReadOptions): Promise<CheckoutTemplate> {
    return this.#api.call('getCheckoutTemplate', { params: { id } }, options)
  }

  /** Lists those of a type, newest first. */
  list(filter: ListCheckoutTemplates, options?: ReadOptions): List<CheckoutTemplate> {
    return this.#api.list('listCheckoutTemplates', { query: filter }, options)
  }
}

/** Checkouts: each is one payment, which a page makes with its `token`. */
class Checkouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one. The answer has the `token` for the page, and names the SDK release that the page loads, with its hash. */
  create(checkout: CreateCheckout, options?: CallOptions): Promise<Checkout> {
    return this.#api.call('createCheckout', { body: checkout }, options)
  }

  /** Changes your words on one that nobody has paid: `reference`, `description`, `metadata`. */
  update(id: string, words: UpdateCheckout, options?: CallOptions): Promise<CheckoutWithJourney> {
    return this.#api.call('updateCheckout', { params: { id }, body: words }, options)
  }

  /** Cancels one that is not paid. */
  cancel(id: string, options?: CallOptions): Promise<CheckoutWithJourney> {
    return this.#api.call('cancelCheckout', { params: { id } }, options)
  }

  /** Reads one, with its `charge_id` and what happened to it. */
  retrieve(id: string, options?: ReadOptions): Promise<CheckoutWithJourney> {
    return this.#api.call('getCheckout', { params: { id } }, options)
  }

  /** Lists checkouts, newest first, without tokens. */
  list(filter: ListCheckouts = {}, options?: ReadOptions): List<Checkout> {
    return this.#api.list('listCheckouts', { query: filter }, options)
  }

  /** The workflow versions that checkouts can be made for, each with the SDK release that serves it. */
  versions(options?: ReadOptions): List<CheckoutVersion> {
    return this.#api.list('listCheckoutVersions', {}, options)
  }
}

/** Card holders' disputes of charges. */
class Disputes {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Lets the card holder keep the money. The `answer` is `sending` until the gateway has confirmed it. */
  accept(id: string, options?: CallOptions): Promise<Dispute> {
    return this.#api.call('acceptDispute', { params: { id } }, options)
  }

  /** Sends a defence with the documents that were added. The `answer` is `sending` until the gateway has confirmed it. */
  defend(id: string, defence: DefendDispute, options?: CallOptions): Promise<Dispute> {
    return this.#api.call('defendDispute', { params: { id }, body: defence }, options)
  }

  /** The ways to defend one, with the documents that each takes. */
  defences(id: string, options?: ReadOptions): Promise<DisputeDefences> {
    return this.#api.call('listDefences', { params: { id } }, options)
  }

  /** Adds a file, in base64, in place of one of the same `type`. */
  addDocument(id: string, document: AddDisputeDocument, options?: CallOptions): Promise<Dispute> {
    return this.#api.call('addDisputeDocument', { params: { id }, body: document }, options)
  }

  /** Removes a file. */
  removeDocument(id: string, documentId: string, options?: CallOptions): Promise<Dispute> {
    return this.#api.call('removeDisputeDocument', { params: { id, document_id: documentId } }, options)
  }

  /** Reads one, with its history. */
  retrieve(id: string, options?: ReadOptions): Promise<Dispute> {
    return this.#api.call('getDispute', { params: { id } }, options)
  }

  /** Lists disputes, newest first. */
  list(filter: ListDisputes = {}, options?: ReadOptions): List<Dispute> {
    return this.#api.list('listDisputes', { query: filter }, options)
  }
}

/** What happened, whether or not a webhook was told of it. */
class Events {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Reads one by its id, which is the `webhook-id` of its messages. */
  retrieve(id: string, options?: ReadOptions): Promise<Event> {
    return this.#api.call('getEvent', { params: { id } }, options)
  }

  /** Lists events, newest first. */
  list(filter: ListEvents = {}, options?: ReadOptions): List<Event> {
    return this.#api.list('listEvents', { query: filter }, options)
  }
}

/** Where events are sent. What comes there is checked by `verifyWebhook`. */
class Webhooks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one. Its `secret` is in this answer and in no other: keep it. */
  create(webhook: CreateWebhook, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('createWebhook', { body: webhook }, options)
  }

  /** Changes its address, its events and whether it is enabled; fields that are left out stay. */
  update(id: string, change: UpdateWebhook, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('updateWebhook', { params: { id }, body: change }, options)
  }

  /** Makes a new `secret`, in this answer and in no other. Messages are signed by those before it, too, until the overlap is over. */
  rollSecret(id: string, overlap: RollWebhookSecret, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('rollWebhookSecret', { params: { id }, body: overlap }, options)
  }

  /** Deletes one, with all that was still to be sent there. */
  delete(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('deleteWebhook', { params: { id } }, options)
  }

  /** Reads one. */
  retrieve(id: string, options?: ReadOptions): Promise<Webhook> {
    return this.#api.call('getWebhook', { params: { id } }, options)
  }

  /** Lists all of them: 16 at most. */
  list(options?: ReadOptions): List<Webhook> {
    return this.#api.list('listWebhooks', {}, options)
  }

  /** Sends an event `test.ping` to this one alone. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#api.call('testWebhook', { params: { id } }, options)
  }

  /** What was sent there and with what result, newest first. */
  deliveries(id: string, filter: ListWebhookDeliveries = {}, options?: ReadOptions): List<WebhookDelivery> {
    return this.#api.list('listWebhookDeliveries', { params: { id }, query: filter }, options)
  }

  /** Sends an event there once more, whether it was delivered or given up. */
  resend(id: string, eventId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#api.call('resendWebhookDelivery', { params: { id, event_id: eventId } }, options)
  }
}
