/**
 * A promise that is settled from outside. Its rejection counts as handled: a page that only listens to `systemError` gets
 * no unhandled rejection, while a caller that awaits the promise still receives it.
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

  /** Only the first call of `succeed` or `fail` has an effect. */
  succeed(value: Value): void {
    this.#pending = false
    this.#resolve(value)
  }

  fail(reason: unknown): void {
    this.#pending = false
    this.#reject(reason)
  }

  /** Calls back if a signal aborts before the promise settles; stops listening then. */
  until(signal: AbortSignal, abort: (reason: unknown) => void): void {
    const stop = () => {
      if (this.#pending) abort(signal.reason)
    }
    signal.addEventListener('abort', stop)
    const leave = () => signal.removeEventListener('abort', stop)
    this.promise.then(leave, leave)
  }
}
