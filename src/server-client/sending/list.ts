import { SvcError } from '../svc-error.ts'

/** A part of a list. */
export interface Page<Item> {
  data: Item[]
  /** The cursor of the next page; null on the last. */
  next: string | null
}

/** Reads a page: from a cursor on, or the first. */
type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>

/** A list, newest first. `for await` goes through all of it, and asks for a page when it gets there; `page()` reads one. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #readPage: ReadPage<Item>

  constructor(readPage: ReadPage<Item>) {
    this.#readPage = readPage
  }

  /** The first page, or the one of a `next`. */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#readPage(cursor)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined
    do {
      const { data, next } = await this.#readPage(cursor)
      if (next !== null && next === cursor) throw samePage()
      yield* data
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
}

/** A cache that leaves the query out of account, say: what is done for each of a list would be done for ever. */
function samePage(): SvcError {
  const message =
    'The next page of a list was the same page again. Check what stands between, such as a cache.'
  return new SvcError({ code: 'unreadable_answer', message, status: null, retryable: false })
}
