import type { Command, Welcome } from '../contract/widget-channel.ts'
import type { WidgetEvent } from '../contract/widget-event.ts'
import { FrameSession } from './frame-session.ts'
import type { FrameTarget } from './frame-session.ts'
import { Loading } from './loading.ts'
import { destroyed, frameNotLoaded, originUnknown } from './widget-faults.ts'
import { WidgetError } from './widget-error.ts'

interface LoaderParts {
  /** What a frame is greeted with, as things stand at that moment. */
  welcome: () => Welcome
  /** Hears each event of the frame. */
  receive: (event: WidgetEvent) => void
  /** Hears of a fault that the frame could not tell itself. */
  fail: (error: WidgetError) => void
}

/** Brings a widget's form into the page, at most one at a time, and takes it out again. */
export class FormLoader {
  readonly #parts: LoaderParts
  #session: FrameSession | undefined
  #loading: Loading | undefined
  #closed = false

  constructor(parts: LoaderParts) {
    this.#parts = parts
  }

  /** While the form is coming or there: the same promise again. After a fault: another try. */
  load(target: FrameTarget, signal: AbortSignal | undefined): Promise<void> {
    if (this.#loading) return this.#loading.promise
    const loading = new Loading(signal, (reason) => this.#stop(reason))
    this.#loading = loading
    this.#session?.end()
    if (this.#closed) this.#stop(destroyed())
    else if (signal?.aborted) this.#stop(signal.reason)
    else if (target.origin === '') queueMicrotask(() => this.#fail(originUnknown()))
    else this.#open(target)
    return loading.promise
  }

  send(command: Command): void {
    this.#session?.send(command)
  }

  /** Gives the frame the height of its content, as far as that is known. */
  fit(): void {
    this.#session?.fit()
  }

  /** For good: a later `load` is refused. */
  close(): void {
    this.#closed = true
    this.#stop(destroyed())
  }

  #open(target: FrameTarget): void {
    this.#session = new FrameSession(target, {
      welcome: this.#parts.welcome,
      receive: (event) => this.#receive(event),
      expire: () => this.#fail(frameNotLoaded(target.origin)),
    })
  }

  /** A frame that says itself what is wrong stays in the page: the shopper reads it there. */
  #receive(event: WidgetEvent): void {
    if (event.event === 'afterLoad') this.#loading?.succeed()
    if (event.event === 'systemError' && this.#loading?.pending) {
      this.#loading.fail(new WidgetError(event.error))
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
