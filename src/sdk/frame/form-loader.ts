import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { Presence } from './frame-element.ts'
import type { FormSession, FrameTarget, SessionParts } from './frame-session.ts'
import { Deferred } from './deferred.ts'
import { destroyed, originUnknown } from './widget-faults.ts'
import { WidgetError } from '../widget-error.ts'

interface LoaderParts extends SessionParts {
  open: (target: FrameTarget, parts: SessionParts) => FormSession
}

/** Brings a widget's form into the page, at most one at a time, and takes it out again. */
export class FormLoader {
  readonly #parts: LoaderParts
  #session: FormSession | undefined
  #loading: Deferred<void> | undefined
  #presence: Presence | undefined
  #closed = false

  constructor(parts: LoaderParts) {
    this.#parts = parts
  }

  /** Whether there is a form that can be typed into. */
  get ready(): boolean {
    return this.#loading !== undefined && !this.#loading.pending
  }

  /** While the form is coming or there: the same promise again. After a fault: another try. */
  load(target: FrameTarget, signal?: AbortSignal): Promise<void> {
    // A page that draws itself anew has thrown the old form away without a word.
    if (this.#session?.gone) this.#stop(destroyed())
    if (this.#loading) return this.#loading.promise
    const loading = (this.#loading = new Deferred<void>())
    if (signal instanceof AbortSignal) loading.until(signal, (reason) => this.#stop(reason))
    if (this.#closed) this.#stop(destroyed())
    else if (signal?.aborted) this.#stop(signal.reason)
    else this.#open(target)
    return loading.promise
  }

  /** A new form in place of the one that is coming or there. A load under way ends with the new one. */
  reload(target: FrameTarget): Promise<void> {
    if (!this.#loading?.pending) {
      this.#loading = undefined
      return this.load(target)
    }
    this.#open(target)
    return this.#loading.promise
  }

  /** The form that is coming or there. */
  get session(): FormSession | undefined {
    return this.#session
  }

  /** For this form and those that come after it. */
  present(presence: Presence): void {
    this.#presence = presence
    this.#session?.present(presence)
  }

  /** For good: a later `load` is refused. */
  close(): void {
    this.#closed = true
    this.#stop(destroyed())
  }

  #open(target: FrameTarget): void {
    this.#session?.end()
    if (target.origin === '') {
      queueMicrotask(() => this.#fail(originUnknown()))
      return
    }
    this.#session = this.#parts.open(target, {
      ...this.#parts,
      receive: (event) => this.#receive(event),
      fail: (error) => this.#fail(error),
    })
    if (this.#presence) this.#session.present(this.#presence)
  }

  /** A form that says itself what is wrong stays in the page: the shopper reads it there. */
  #receive(event: FrameEvent): void {
    if (event.event === 'afterLoad') this.#loading?.succeed()
    if (event.event === 'systemError' && this.#loading?.pending) {
      this.#loading.fail(new WidgetError(event.error, event))
      this.#loading = undefined
    }
    this.#parts.receive(event)
  }

  #fail(error: WidgetError): void {
    this.#stop(error)
    this.#parts.fail(error)
  }

  #stop(reason: unknown): void {
    this.#session?.end()
    this.#session = undefined
    this.#loading?.fail(reason)
    this.#loading = undefined
  }
}
