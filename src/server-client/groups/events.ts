import type { Event, ListEvents } from '../operations.ts'
import type { Api } from '../sending/api.ts'
import type { ReadOptions } from '../sending/call-options.ts'
import type { List } from '../sending/list.ts'

/** What happened, whether or not a webhook was told of it. */
export class Events {
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
