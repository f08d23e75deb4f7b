import { Temporal } from 'temporal-polyfill'
import type { Agreements, StatusChange } from '../card-service/agreements.ts'
import { asDecimal } from '../orders/money.ts'
import { termsAt, termsOf } from './plans.ts'
import type { SubscriptionForm } from './subscription-form.ts'
import { toPaymentView, toSubscriptionView } from './subscription-view.ts'
import type { SubscriptionView } from './subscription-view.ts'

/** Where the shop is paid. */
const CREDITOR = { name: 'Marlow & Finch', account: { bsb: '802-985', account_number: '200000001' } }
const DESCRIPTION = 'Lamp of the month'
/** The reference of subscriptions, by which they differ from the merchant's other agreements. Collected payments carry it, too. */
const REFERENCE = 'lamp-of-the-month'

/** What the shop's people can do with a subscription. */
export const ACTIONS = ['pause', 'resume', 'cancel'] as const
export type Action = (typeof ACTIONS)[number]

const CHANGES: Record<Action, StatusChange> = {
  pause: { action: 'suspend', reason_code: 'customer_request', reason: 'The subscriber is away' },
  resume: { action: 'release' },
  cancel: { action: 'cancel', reason_code: 'customer_request', reason: 'The subscriber has left' },
}

/**
 * The shop's subscriptions. Each is an agreement of the card service and nothing else, so the shop has none of its own to keep:
 * whatever the payer does at its bank is seen the next time that it is read.
 */
export class Subscriptions {
  readonly #agreements: Agreements
  readonly #today: () => Temporal.PlainDate

  constructor(agreements: Agreements, today = () => Temporal.Now.plainDateISO('Australia/Sydney')) {
    this.#agreements = agreements
    this.#today = today
  }

  /** Asks the payer's bank for an agreement; a page that is sent twice makes one. Returns its id. */
  async begin(form: SubscriptionForm): Promise<string> {
    const request = {
      type: 'recurring',
      description: DESCRIPTION,
      purpose: 'retail',
      reference: REFERENCE,
      debtor: { name: form.name, type: 'person', ...payerOf(form) },
      creditor: CREDITOR,
      payment_terms: termsOf(form.plan, this.#today()),
    }
    const agreement = await this.#agreements.create(request, form.page)
    return agreement._id
  }

  /** A subscription with its latest payments. */
  async look(id: string) {
    const [{ agreement }, payments] = await Promise.all([
      this.#agreements.read(id),
      this.#agreements.payments(id),
    ])
    return { ...toSubscriptionView(agreement), payments: payments.map(toPaymentView) }
  }

  /** A page of subscriptions, newest first. */
  async list(cursor?: string) {
    const { data, next } = await this.#agreements.list(REFERENCE, cursor)
    return { subscriptions: data.map(toSubscriptionView), next }
  }

  /** Asks for the payment of one lamp at the subscription's price; `key` is the idempotency key. */
  async pay(id: string, key: string) {
    const { agreement } = await this.#agreements.read(id)
    const order = {
      amount: asDecimal(agreement.payment_terms.amount ?? 0),
      reference: `LAMP-${key.slice(0, 8)}`,
      description: 'Lamp, asked for by hand',
    }
    return toPaymentView(await this.#agreements.pay(id, order, key))
  }

  async act(id: string, action: Action): Promise<SubscriptionView> {
    return toSubscriptionView(await this.#agreements.setStatus(id, CHANGES[action]))
  }

  /** Asks the payer to accept another price, in cents. The old one holds until then. */
  async askForPrice(id: string, cents: number): Promise<SubscriptionView> {
    const { agreement, etag } = await this.#agreements.read(id)
    const change = { payment_terms: termsAt(cents, agreement.payment_terms) }
    return toSubscriptionView(await this.#agreements.amend(id, change, etag))
  }
}

function payerOf(form: SubscriptionForm): object {
  return form.pay_by === 'pay_id'
    ? { pay_id: { type: 'EMAIL', value: form.pay_id } }
    : { account: { bsb: form.bsb, account_number: form.account_number } }
}
