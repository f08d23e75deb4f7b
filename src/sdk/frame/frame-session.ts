import type { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { Command, Welcome } from '../../contract/page/widget-channel.ts'
import { colorSchemeOf } from './color-scheme.ts'
import { openFrameChannel } from './frame-channel.ts'
import type { FrameChannel } from './frame-channel.ts'
import { createFrameElement } from './frame-element.ts'
import type { Presence } from './frame-element.ts'
import type { WidgetError } from '../widget-error.ts'
import { blockedByCsp, frameNotLoaded } from './widget-faults.ts'

/** Milliseconds that a whole load may take, and that a document that is there may take to answer. */
const LOAD_TIMEOUT = 15_000
const ANSWER_TIMEOUT = 5_000

/** Where the form goes, and the address it comes from. */
export interface FrameTarget {
  container: Element
  origin: string
  /** Path and query of the document below the origin; never personal data. */
  path: string
  /** CSS pixels to keep free until the form says its own height. */
  height: number
}

/** One form in the page, from its birth to its end. */
export interface FormSession {
  send: (command: Command) => void
  /** Gives the form the height of its content, as far as that is known. */
  fit: () => void
  /** Moves the page's focus to the form; which field gets it is a command's to say. */
  focus: () => void
  present: (presence: Presence) => void
  /** Whether the page has taken it out by itself. */
  readonly gone: boolean
  /** After this nothing of it is heard any more. */
  end: () => void
}

export interface SessionParts {
  /** What a form is greeted with, as things stand at that moment. */
  welcome: () => Welcome | CheckoutWelcome
  receive: (event: FrameEvent) => void
  /** Told once, after the end, of what the form could not tell itself. */
  fail: (error: WidgetError) => void
}

/** The form as a document of another origin. Whatever it acquires it releases by `end`. */
export class FrameSession implements FormSession {
  readonly #target: FrameTarget
  readonly #parts: SessionParts
  readonly #frame: HTMLIFrameElement
  readonly #over = new AbortController()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #channel: FrameChannel | undefined
  #height = 0

  constructor(target: FrameTarget, parts: SessionParts) {
    this.#target = target
    this.#parts = parts
    this.#frame = createFrameElement(target.origin + target.path, target.height)
    const { signal } = this.#over
    this.#frame.addEventListener('load', this.#greet, { signal })
    document.addEventListener('securitypolicyviolation', this.#seeViolation, { signal })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#tellScheme, { signal })
    this.#expireAfter(LOAD_TIMEOUT)
    target.container.append(this.#frame)
  }

  get gone(): boolean {
    return !this.#frame.isConnected
  }

  send(command: Command): void {
    this.#channel?.send(command)
  }

  fit(): void {
    // A form that is out of sight has no height to go by.
    if (this.#height <= 0) return
    // No scrollbar shows while the height changes.
    this.#frame.setAttribute('scrolling', 'no')
    this.#frame.style.height = `${Math.ceil(this.#height)}px`
  }

  focus(): void {
    this.#frame.focus()
  }

  present(presence: Presence): void {
    Object.assign(this.#frame.style, presence)
  }

  end(): void {
    this.#stopTimers()
    this.#over.abort()
    this.#channel?.close()
    this.#channel = undefined
    this.#frame.remove()
  }

  /** On each load of a document: one that was reloaded, or left for another, gets a line of its own. */
  readonly #greet = () => {
    this.#channel?.close()
    this.#expireAfter(ANSWER_TIMEOUT)
    const { contentWindow } = this.#frame
    if (contentWindow === null) return
    const welcome = this.#parts.welcome()
    const settings = { ...welcome.settings, ...this.#scheme() }
    const { origin } = this.#target
    const rename = (title: string) => void (this.#frame.title = title)
    this.#channel = openFrameChannel(contentWindow, origin, { ...welcome, settings }, this.#receive, rename)
  }

  readonly #receive = (event: FrameEvent) => {
    if (event.event === 'afterLoad' || 'error' in event) {
      this.#stopTimers()
      this.#frame.style.background = ''
    }
    if (event.event === 'resize') this.#height = event.height
    this.#parts.receive(event)
  }

  readonly #tellScheme = () => this.send({ command: 'set', settings: this.#scheme() })

  #scheme() {
    return { color_scheme: colorSchemeOf(this.#target.container) }
  }

  /** The page's own policy; one that only reports lets the form in. */
  readonly #seeViolation = ({ blockedURI, disposition }: SecurityPolicyViolationEvent) => {
    const { origin } = this.#target
    const isOurs = `${blockedURI}/`.startsWith(`${origin}/`)
    if (isOurs && disposition === 'enforce' && this.#timers.size > 0) this.#fail(blockedByCsp(origin))
  }

  #fail(error: WidgetError): void {
    this.end()
    this.#parts.fail(error)
  }

  #expireAfter(milliseconds: number): void {
    const expire = () => this.#fail(frameNotLoaded(this.#target.origin))
    this.#timers.add(setTimeout(expire, milliseconds))
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
