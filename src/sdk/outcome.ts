/**
 * A promise that is settled from outside. A rejection counts as handled, so that a page which only listens to
 * `systemError` never sees an unhandled one, yet a caller who awaits the promise still gets it.
 */
export class Outcome<Value> {
  readonly promise: Promise<Value>
  readonly #settled = new AbortController()
  #resolve: (value: Value) => void = () => undefined
  #reject: (reason: unknown) => void = () => undefined

  /** `abort` is told the signal's reason when the signal fires before the promise is settled. */
  constructor(signal?: AbortSignal, abort?: (reason: unknown) => void) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.promise.catch(() => undefined)
    signal?.addEventListener('abort', () => abort?.(signal.reason), { signal: this.#settled.signal })
  }

  get pending(): boolean {
    return !this.#settled.signal.aborted
  }

  succeed(value: Value): void {
    this.#settled.abort()
    this.#resolve(value)
  }

  fail(reason: unknown): void {
    this.#settled.abort()
    this.#reject(reason)
  }
}
