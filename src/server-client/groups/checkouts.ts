import type {
  Checkout,
  CheckoutVersion,
  CheckoutWithJourney,
  CreateCheckout,
  ListCheckouts,
} from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { CallOptions, ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** Checkouts: each is one payment, which a page makes with its `token`. */
export class Checkouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one. The answer has the `token` for the page, and names the SDK release that the page loads, with its hash. */
  create(checkout: CreateCheckout, options?: CallOptions): Promise<Checkout> {
    return this.#api.call('createCheckout', { body: checkout }, options)
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
