import { randomInt } from 'node:crypto'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import type { CardService } from '../card-service/card-service.ts'
import type { Item } from './catalogue.ts'
import { cardOf } from '../card-service/charge.ts'
import type { Charge } from '../card-service/charge.ts'
import { declineWords, isOutcomeUnknown } from './decline-words.ts'
import { asDecimal } from './money.ts'

/** An order whose payment was started. `status` is the charge's, or `checking` while that is unknown. */
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

/** What the shopper ordered, and the one-time token of the card. */
export interface Basket {
  /** Id of the checkout page: one page makes one order. */
  checkout: string
  item: Item
  quantity: number
  token: string
}

/** What the page shows the question of the shopper's bank with. */
interface BankQuestion {
  id: string
  token?: string | undefined
}

/** The placed order, or a message for the shopper why it was not placed, or what their bank asks before it is. */
export type Outcome =
  | { placed: true; reference: string }
  | { placed: false; message: string; asks?: BankQuestion }

/** The shop's orders, kept in memory. */
export class OrderBook {
  readonly #cards: CardService
  readonly #orders = new Map<string, Order>()
  readonly #byCheckout = new Map<string, Promise<Outcome>>()
  /** Orders whose shopper's bank asks, by the id of their checkout page. */
  readonly #asked = new Map<string, Order>()
  /** Orders by the id of their checkout intent. */
  readonly #intended = new Map<string, { order: Order; item: Item }>()

  constructor(cards: CardService) {
    this.#cards = cards
  }

  /**
   * Places one order per checkout page, however often it is sent: a second click, a retry, or another card sent before the
   * bank has answered gets the same outcome. Another card is tried only after a decline.
   */
  async place(basket: Basket): Promise<Outcome> {
    const known = this.#byCheckout.get(basket.checkout)
    if (known) return known
    const attempt = this.#authorise(basket)
    this.#byCheckout.set(basket.checkout, attempt)
    const outcome = await attempt
    if (!outcome.placed && !outcome.asks) this.#byCheckout.delete(basket.checkout)
    return outcome
  }

  /**
   * Places the order of a checkout page whose shopper has answered their bank. Asks the card service, as a page can't be trusted. After a
   * refusal another card may be tried.
   */
  async answered(checkout: string): Promise<Outcome> {
    const order = this.#asked.get(checkout)
    const asked = await this.#byCheckout.get(checkout)
    if (!order?.chargeId || !asked) return { placed: false, message: 'There is no order of this checkout.' }
    const charge = await this.#cards.get(order.chargeId).catch(unlessFault)
    if (charge?.status === 'pre_authentication_pending') return asked
    this.#asked.delete(checkout)
    const code = charge && refusalOf(charge)
    const outcome: Outcome =
      typeof code === 'string'
        ? { placed: false, message: declineWords(code) }
        : { placed: true, reference: order.reference }
    if (charge) updateFrom(order, charge)
    if (outcome.placed) this.#orders.set(order.reference, order)
    if (outcome.placed) this.#byCheckout.set(checkout, Promise.resolve(outcome))
    else this.#byCheckout.delete(checkout)
    return outcome
  }

  /** Creates a checkout for an order at the shop's own price, and returns its id. The order is placed once it is paid. */
  async intend(item: Item, quantity: number): Promise<string> {
    const order = newOrder(item, quantity)
    const { reference, total } = order
    const description = `${String(quantity)} × ${item.name}`
    const { _id: id } = await this.#cards.createCheckout({ amount: asDecimal(total), reference, description })
    this.#intended.set(id, { order, item })
    return id
  }

  /** An order's checkout as the card service has it now, so that its page can be opened again; undefined if there is none. */
  async checkoutOf(intentId: string) {
    const intended = this.#intended.get(intentId)
    return intended && { ...intended, intent: await this.#cards.checkout(intentId) }
  }

  /** Places the order of a paid checkout. Asks the card service, as a page can't be trusted. */
  async confirm(intentId: string): Promise<Outcome> {
    const found = await this.checkoutOf(intentId)
    if (!found) return { placed: false, message: 'There is no checkout of this number.' }
    const { order, intent } = found
    if (intent.status !== 'completed' || intent.charge_id === null)
      return { placed: false, message: 'The card service does not know of this payment yet.' }
    updateFrom(order, await this.#cards.get(intent.charge_id))
    this.#orders.set(order.reference, order)
    return { placed: true, reference: order.reference }
  }

  /** The current order; undefined if there is none. */
  async find(reference: string): Promise<Order | undefined> {
    const order = this.#orders.get(reference)
    if (order) await this.#refresh(order)
    return order
  }

  async #authorise({ checkout, item, quantity, token }: Basket): Promise<Outcome> {
    const order = newOrder(item, quantity)
    const { reference, total } = order
    const description = `${String(quantity)} × ${item.name}`
    try {
      const charge = await this.#cards.authorise({ amount: asDecimal(total), token, reference, description })
      updateFrom(order, charge)
      if (charge.status === 'pre_authentication_pending' && charge._3ds) {
        this.#asked.set(checkout, order)
        return { placed: false, message: UNANSWERED, asks: charge._3ds }
      }
    } catch (error) {
      if (!(error instanceof CardServiceFault)) throw error
      if (!isOutcomeUnknown(error.code)) return { placed: false, message: declineWords(error.code) }
    }
    this.#orders.set(reference, order)
    return { placed: true, reference }
  }

  /** Updates an order from the card service, including what the back office did. Keeps it if the service can't be reached. */
  async #refresh(order: Order): Promise<void> {
    try {
      const charge = await this.#chargeOf(order)
      if (charge) updateFrom(order, charge)
    } catch (error) {
      if (!(error instanceof CardServiceFault)) throw error
    }
  }

  /** Finds the charge by its id or, if the answer with the id was lost, by the order's reference. */
  async #chargeOf({ chargeId, reference }: Order): Promise<Charge | undefined> {
    if (chargeId !== undefined) return this.#cards.get(chargeId)
    const { data } = await this.#cards.list({ reference, limit: '100' })
    return data.find((charge) => charge.reference === reference)
  }
}

const UNANSWERED = 'Your bank still wants to ask you, and nothing was charged. Please press Pay again.'

/** Nothing where the card service can't be asked: the order is checked later. */
function unlessFault(error: unknown): undefined {
  if (!(error instanceof CardServiceFault)) throw error
}

/** Why a charge took nothing; null for one that did, or may have. */
function refusalOf({ status, transactions }: Charge): string | null {
  if (status !== 'failed' && status !== 'not_authenticated') return null
  return transactions.find(({ type }) => type === 'sale')?.error_code ?? status
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

function updateFrom(order: Order, charge: Charge): void {
  const isOpen = charge.status === 'processing' || charge.status === 'pre_authentication_pending'
  order.status = isOpen ? 'checking' : charge.status
  order.chargeId = charge._id
  order.card = cardOf(charge)
}

/** Eight characters that are not confused when read aloud. Random, as they open the order's page. */
function newReference(): string {
  const characters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  return `MF-${Array.from({ length: 8 }, () => characters.charAt(randomInt(characters.length))).join('')}`
}
