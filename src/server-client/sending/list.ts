import { SvcError } from '../svc-error.ts'
import { CursorHistory } from './cursor-history.ts'

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
    const history = new CursorHistory()
    let cursor: string | undefined
    do {
      const { data, next } = await this.#readPage(cursor)
      if (next !== null && history.hasHad(next)) throw endlessList()
      yield* data
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
}

/** By a cache that does not look at the query, for example. Whatever is done for each item would be done for ever. */
function endlessList(): SvcError {
  const message =
    'A list led back to a page that came before, so it has no end. Check what stands between your server and the service, such as a cache.'
  return new SvcError({ code: 'unreadable_answer', message, status: null, retryable: false })
}
