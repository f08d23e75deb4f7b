import { createHash } from 'node:crypto'
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
    const known = new Set<string>()
    let cursor: string | undefined
    do {
      const { data, next } = await this.#readPage(cursor)
      if (next !== null) noteCursor(next, known)
      yield* data
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
}

/** Throws where a cursor comes again. Some 100 bytes are kept of each, however long it is: 10 MB of a list of 100,000 pages. */
function noteCursor(cursor: string, known: Set<string>): void {
  const digest = createHash('sha256').update(cursor).digest('base64')
  if (known.has(digest)) throw endlessList()
  known.add(digest)
}

/** By a cache that does not look at the query, for example. Whatever is done for each item would be done for ever. */
function endlessList(): SvcError {
  const message =
    'A list led back to a page that came before, so it has no end. Check what stands between your server and the service, such as a cache.'
  return new SvcError({ code: 'unreadable_answer', message, status: null, retryable: false })
}
