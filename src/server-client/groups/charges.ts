import type { CaptureCharge, Charge, CreateCharge, ListCharges, RefundCharge } from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { CallOptions, ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** Charges of cards. Amounts are decimal texts in units of the currency (`"10.00"`) in requests, and numbers in answers. */
export class Charges {
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

  /** Lists charges, newest first. */
  list(filter: ListCharges = {}, options?: ReadOptions): List<Charge> {
    return this.#api.list('listCharges', { query: filter }, options)
  }
}
