import type { Command, Welcome } from '../contract/widget-channel.ts'
import type { WidgetEvent } from '../contract/widget-event.ts'
import { openFrameChannel } from './frame-channel.ts'
import type { FrameChannel } from './frame-channel.ts'
import { createFrameElement, fitFrame } from './frame-element.ts'

/** Milliseconds that a whole load may take, and that a document that is there may take to answer. */
const LOAD_TIMEOUT = 15_000
const ANSWER_TIMEOUT = 5_000

/** Where the form goes, and the address it comes from. */
export interface FrameTarget {
  container: Element
  origin: string
  /** Path and query of the document below the origin; never personal data. */
  path: string
}

interface SessionParts {
  welcome: () => Welcome
  receive: (event: WidgetEvent) => void
  /** Told once, after the end, when the form did not come or answer in time. */
  expire: () => void
}

/**
 * One frame in the page, from its birth to its end. Whatever it acquires it releases by `end`, and after that
 * nothing of it is heard any more.
 */
export class FrameSession {
  readonly #target: FrameTarget
  readonly #parts: SessionParts
  readonly #frame: HTMLIFrameElement
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #channel: FrameChannel | undefined
  #height: number | undefined

  constructor(target: FrameTarget, parts: SessionParts) {
    this.#target = target
    this.#parts = parts
    this.#frame = createFrameElement(target.origin + target.path)
    this.#frame.addEventListener('load', this.#greet)
    this.#expireAfter(LOAD_TIMEOUT)
    target.container.append(this.#frame)
  }

  send(command: Command): void {
    this.#channel?.send(command)
  }

  fit(): void {
    if (this.#height !== undefined) fitFrame(this.#frame, this.#height)
  }

  end(): void {
    this.#stopTimers()
    this.#channel?.close()
    this.#channel = undefined
    this.#frame.removeEventListener('load', this.#greet)
    this.#frame.remove()
  }

  /** On each load of a document: one that was reloaded, or left for another, gets a line of its own. */
  readonly #greet = () => {
    this.#channel?.close()
    this.#expireAfter(ANSWER_TIMEOUT)
    const { contentWindow } = this.#frame
    if (contentWindow === null) return
    this.#channel = openFrameChannel(contentWindow, this.#target.origin, this.#parts.welcome(), this.#receive)
  }

  readonly #receive = (event: WidgetEvent) => {
    if (event.event === 'afterLoad' || event.event === 'systemError') this.#stopTimers()
    if (event.event === 'resize') this.#height = event.height
    this.#parts.receive(event)
  }

  #expireAfter(milliseconds: number): void {
    const expire = () => {
      this.end()
      this.#parts.expire()
    }
    this.#timers.add(setTimeout(expire, milliseconds))
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
