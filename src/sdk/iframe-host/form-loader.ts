import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { Visibility } from './frame-element.ts'
import type { FormSession, FrameTarget, SessionCallbacks } from './frame-session.ts'
import { Deferred } from './deferred.ts'
import { originFault } from './load-faults.ts'
import { reportInConsole } from './report-in-console.ts'
import { destroyed, formNotInPage, formNotLoaded } from './widget-faults.ts'
import { WidgetError } from '../widget-error.ts'

interface LoaderCallbacks extends SessionCallbacks {
  open: (target: FrameTarget, callbacks: SessionCallbacks) => FormSession
}

/** Loads the form into the page, at most one at a time, and removes it again. */
export class FormLoader {
  readonly #callbacks: LoaderCallbacks
  #session: FormSession | undefined
  #loading: Deferred<void> | undefined
  #visibility: Visibility | undefined
  #closed = false
  /** Why the last form was not asked for, until that is told. */
  #fault: WidgetError | null = null
  /** Why the last form is gone. */
  #end: WidgetError | undefined

  constructor(callbacks: LoaderCallbacks) {
    this.#callbacks = callbacks
  }

  /** Whether a form is loaded and can be typed into, and the page has not removed it. */
  get ready(): boolean {
    return this.#loading?.pending === false && this.#session?.isDetached === false
  }

  /** Why there is no form that could be submitted. */
  get absence(): WidgetError {
    if (this.#closed) return destroyed()
    return this.#session?.isDetached ? formNotInPage() : (this.#end ?? formNotLoaded())
  }

  /** Returns the same promise while the form is loading or loaded, and tries again after a fault. */
  load(target: FrameTarget, signal?: AbortSignal): Promise<void> {
    // The page may have removed the form, for example when it rendered itself again.
    if (this.#session?.isDetached) this.#stop(formNotInPage())
    if (this.#loading) return this.#loading.promise
    const loading = (this.#loading = new Deferred<void>())
    if (signal instanceof AbortSignal) loading.until(signal, (reason) => this.#stop(reason))
    if (this.#closed) this.#refuse()
    else if (signal?.aborted) this.#stop(signal.reason)
    else this.#open(target)
    return loading.promise
  }

  /** Replaces the form with a new one. A pending load then settles with the new form. */
  reload(target: FrameTarget): Promise<void> {
    if (!this.#loading?.pending) {
      this.#loading = undefined
      return this.load(target)
    }
    this.#open(target)
    return this.#loading.promise
  }

  /** Whether it was closed for good. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** The form that is loading or loaded. */
  get session(): FormSession | undefined {
    return this.#session
  }

  /** Shows or hides this form and later ones. */
  setVisibility(visibility: Visibility): void {
    this.#visibility = visibility
    this.#session?.setVisibility(visibility)
  }

  /** Removes the form for good: a later `load` is rejected. */
  close(): void {
    this.#closed = true
    this.#stop(destroyed())
  }

  /** Nobody listens to a widget that was destroyed. */
  #refuse(): void {
    reportInConsole(destroyed())
    this.#stop(destroyed())
  }

  #open(target: FrameTarget): void {
    this.#session?.end()
    this.#end = undefined
    this.#fault = target.fault ?? originFault(target.origin)
    if (this.#fault) {
      queueMicrotask(() => {
        if (this.#fault) this.#fail(this.#fault)
      })
      return
    }
    this.#session = this.#callbacks.open(target, {
      ...this.#callbacks,
      receive: (event) => this.#receive(event),
      fail: (error) => this.#fail(error),
    })
    if (this.#visibility) this.#session.setVisibility(this.#visibility)
  }

  /** A form that reports a fault itself stays in the page, where the shopper reads it. */
  #receive(event: FrameEvent): void {
    if (event.event === 'afterLoad') this.#loading?.succeed()
    if (event.event === 'systemError' && this.#loading?.pending) {
      this.#loading.fail(new WidgetError(event.error, event))
      this.#loading = undefined
    }
    this.#callbacks.receive(event)
  }

  #fail(error: WidgetError): void {
    this.#end = error
    this.#stop(error)
    this.#callbacks.fail(error)
  }

  #stop(reason: unknown): void {
    this.#session?.end()
    this.#session = undefined
    this.#fault = null
    this.#loading?.fail(reason)
    this.#loading = undefined
  }
}
