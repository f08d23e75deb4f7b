import { createHash } from 'node:crypto'

/** How many of the last cursors are known. Each takes 44 characters. */
const MAX_KNOWN = 1000

/**
 * Notices a list that goes in a loop, in bounded memory. A loop of up to `MAX_KNOWN` pages is noticed when its first cursor comes again.
 * For longer ones a single cursor is kept as well, and replaced after 1, 2, 4, 8 … others (Brent's cycle detection): once it is kept
 * for longer than the loop is, it comes again.
 */
export class CursorHistory {
  readonly #known = new Set<string>()
  #kept = ''
  #sinceKept = 0
  #untilNext = 1

  /** Whether a cursor has come before; from now on it has. */
  hasHad(cursor: string): boolean {
    // A digest, as nothing limits how long a cursor is that something else than the service makes.
    const digest = createHash('sha256').update(cursor).digest('base64')
    if (this.#known.has(digest) || this.#kept === digest) return true
    this.#remember(digest)
    this.#keep(digest)
    return false
  }

  #remember(digest: string): void {
    this.#known.add(digest)
    const [oldest] = this.#known
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  #keep(digest: string): void {
    this.#sinceKept += 1
    if (this.#sinceKept < this.#untilNext) return
    this.#kept = digest
    this.#sinceKept = 0
    this.#untilNext *= 2
  }
}
