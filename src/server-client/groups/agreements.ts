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
} from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { CallOptions, ChangeOptions, ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** A payer's standing authority to be paid from its bank account, and the payments under it. These calls need `oauth`. */
export class Agreements {
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

  /** Takes a payment. It is sent to the network in the background: reading it, or a webhook, tells what became of it. */
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
