import { randomInt } from 'node:crypto'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import type { CardService } from '../card-service/card-service.ts'
import type { Item } from './catalogue.ts'
import { cardOf } from '../card-service/charge.ts'
import type { Charge } from '../card-service/charge.ts'
import { declineWords, isOutcomeUnknown } from './decline-words.ts'
import { asDecimal } from './money.ts'

/** An order whose card was asked. `status` is that of the charge, or `checking` while nobody knows it. */
export interface Order {
  reference: string
  item: string
  quantity: number
  /** Cents. */
  total: number
  status: string
  /** Unknown while `checking`. */
  chargeId: string | undefined
  card: string | undefined
}

/** What the shopper ordered, and the one-time token of the card that is to pay. */
export interface Basket {
  /** Of the page on which the shopper pays: one checkout is one order. */
  checkout: string
  item: Item
  quantity: number
  token: string
}

/** An order was placed, or why it was not, in words for the shopper. */
export type Outcome = { placed: true; reference: string } | { placed: false; message: string }

/** The shop's orders, kept for as long as the shop runs. */
export class OrderBook {
  readonly #cards: CardService
  readonly #orders = new Map<string, Order>()
  readonly #byCheckout = new Map<string, Promise<Outcome>>()
  /** By the intent of their checkout. */
  readonly #intended = new Map<string, { order: Order; item: Item }>()

  constructor(cards: CardService) {
    this.#cards = cards
  }

  /**
   * One checkout makes one order, however often it is sent: a second click, a retry, or another card while the
   * bank still thinks about the first get the same answer. Only after a decline is another card tried.
   */
  async place(basket: Basket): Promise<Outcome> {
    const known = this.#byCheckout.get(basket.checkout)
    if (known) return known
    const attempt = this.#authorise(basket)
    this.#byCheckout.set(basket.checkout, attempt)
    const outcome = await attempt
    if (!outcome.placed) this.#byCheckout.delete(basket.checkout)
    return outcome
  }

  /** Makes a checkout for an order at the shop's own price, which is placed once it is paid; gives the checkout's id. */
  async intend(item: Item, quantity: number): Promise<string> {
    const order = newOrder(item, quantity)
    const { reference, total } = order
    const description = `${String(quantity)} × ${item.name}`
    const { _id: id } = await this.#cards.intend({ amount: asDecimal(total), reference, description })
    this.#intended.set(id, { order, item })
    return id
  }

  /** The checkout of an order as the card service knows it now, so that a page can be opened again; undefined if there is none. */
  async checkoutOf(intentId: string) {
    const intended = this.#intended.get(intentId)
    return intended && { ...intended, intent: await this.#cards.checkout(intentId) }
  }

  /** Places the order of a checkout that is said to be paid. The card service is asked: a page can say anything. */
  async confirm(intentId: string): Promise<Outcome> {
    const found = await this.checkoutOf(intentId)
    if (!found) return { placed: false, message: 'There is no checkout of this number.' }
    const { order, intent } = found
    if (intent.status !== 'completed' || intent.charge_id === null)
      return { placed: false, message: 'The card service does not know of this payment yet.' }
    note(order, await this.#cards.get(intent.charge_id))
    this.#orders.set(order.reference, order)
    return { placed: true, reference: order.reference }
  }

  /** The order as it stands; undefined if there is none. */
  async find(reference: string): Promise<Order | undefined> {
    const order = this.#orders.get(reference)
    if (order) await this.#refresh(order)
    return order
  }

  async #authorise({ item, quantity, token }: Basket): Promise<Outcome> {
    const order = newOrder(item, quantity)
    const { reference, total } = order
    const description = `${String(quantity)} × ${item.name}`
    try {
      const charge = await this.#cards.authorise({ amount: asDecimal(total), token, reference, description })
      note(order, charge)
    } catch (error) {
      if (!(error instanceof CardServiceFault)) throw error
      if (!isOutcomeUnknown(error.code)) return { placed: false, message: declineWords(error.code) }
    }
    this.#orders.set(reference, order)
    return { placed: true, reference }
  }

  /** The card service knows best, also of what the back office did since; while it is silent the order stands. */
  async #refresh(order: Order): Promise<void> {
    try {
      const charge = await this.#chargeOf(order)
      if (charge) note(order, charge)
    } catch (error) {
      if (!(error instanceof CardServiceFault)) throw error
    }
  }

  /** By its id; or, when the answer that would have told the id was lost, by our own reference. */
  async #chargeOf({ chargeId, reference }: Order): Promise<Charge | undefined> {
    if (chargeId !== undefined) return this.#cards.get(chargeId)
    const { data } = await this.#cards.list({ reference, limit: '100' })
    return data.find((charge) => charge.reference === reference)
  }
}

function newOrder(item: Item, quantity: number): Order {
  return {
    reference: newReference(),
    item: item.name,
    quantity,
    total: item.price * quantity,
    status: 'checking',
    chargeId: undefined,
    card: undefined,
  }
}

function note(order: Order, charge: Charge): void {
  order.status = charge.status === 'processing' ? 'checking' : charge.status
  order.chargeId = charge._id
  order.card = cardOf(charge)
}

/** Eight signs that nobody confuses when reading them out; hard to guess, since they open the order's page. */
function newReference(): string {
  const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  return `MF-${Array.from({ length: 8 }, () => signs.charAt(randomInt(signs.length))).join('')}`
}
