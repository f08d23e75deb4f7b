import { checkedOptions } from './client-options.ts'
import type { ClientOptions } from './client-options.ts'
import { Agreements } from './groups/agreements.ts'
import { Charges } from './groups/charges.ts'
import { CheckoutTemplates } from './groups/checkout-templates.ts'
import { Checkouts } from './groups/checkouts.ts'
import { Events } from './groups/events.ts'
import { Webhooks } from './groups/webhooks.ts'
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
    this.checkouts = new Checkouts(api)
    this.checkoutTemplates = new CheckoutTemplates(api)
    this.webhooks = new Webhooks(api)
    this.events = new Events(api)
    this.agreements = new Agreements(api)
  }
}
