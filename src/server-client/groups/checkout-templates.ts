import type { CheckoutTemplate, CreateCheckoutTemplate, ListCheckoutTemplates } from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { CallOptions, ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** Templates of checkouts: a `configuration` says which cards and fields, a `customisation` how it looks. */
export class CheckoutTemplates {
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
