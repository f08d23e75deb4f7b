/**
 * A promise that is settled from outside. A rejection counts as handled, so that a page which only listens to
 * `systemError` never sees an unhandled one, yet a caller who awaits the promise still gets it.
 */
export class Deferred<Value> {
  readonly promise: Promise<Value>
  #pending = true
  #resolve: (value: Value) => void = () => undefined
  #reject: (reason: unknown) => void = () => undefined

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.promise.catch(() => undefined)
  }

  get pending(): boolean {
    return this.#pending
  }

  /** What comes after the first of `succeed` and `fail` changes nothing. */
  succeed(value: Value): void {
    this.#pending = false
    this.#resolve(value)
  }

  fail(reason: unknown): void {
    this.#pending = false
    this.#reject(reason)
  }

  /** Calls back when a signal fires before the end; listens no longer than that. */
  until(signal: AbortSignal, abort: (reason: unknown) => void): void {
    const stop = () => {
      if (this.#pending) abort(signal.reason)
    }
    signal.addEventListener('abort', stop)
    const leave = () => signal.removeEventListener('abort', stop)
    this.promise.then(leave, leave)
  }
}
