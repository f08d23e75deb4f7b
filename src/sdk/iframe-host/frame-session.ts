import type { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { Command, Welcome } from '../../contract/page/widget-channel.ts'
import { isHello } from '../../contract/page/is-frame-event.ts'
import type { Hello } from '../../contract/page/widget-channel.ts'
import {
  dressEarlyFrame,
  isInUse,
  isSameForm,
  makeRoom,
  removeElement,
  REPLACED,
  reportNotAdopted,
} from './early-frame.ts'
import { askForHello, openFrameChannel } from './frame-channel.ts'
import type { FrameChannel } from './frame-channel.ts'
import { createFrameElement, keepPlace, setHeight } from './frame-element.ts'
import type { FrameTarget, Visibility } from './frame-element.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { parentOf } from '../page/page-input.ts'
import { loadRefusalOf } from './load-faults.ts'
import type { WidgetError } from '../widget-error.ts'
import { blockedByCsp, formNotInPage, formReplaced, frameNotLoaded } from './widget-faults.ts'

/** Limits for a whole load, and for the answer of a document that has loaded. */
const LOAD_TIMEOUT_MS = 15_000
const ANSWER_TIMEOUT_MS = 5_000
/** A document that has come is alive after some 0.1 s, on slow devices after 1 s. */
const SUSPICIOUS_MS = 1_500

/** One form in the page, from its creation to its removal. */
export interface FormSession {
  send: (command: Command) => void
  /** Gives the form the height of its content, once that is known; a smaller one only if it `shrinks`. */
  fit: (shrinks: boolean) => void
  /** Moves the page's focus to the form. The `focus` command then chooses the field. */
  focus: () => void
  setVisibility: (visibility: Visibility) => void
  /** Whether the page has removed the form. */
  readonly isDetached: boolean
  /** Removes the form. No callback is called after this. */
  end: () => void
}

export interface SessionCallbacks {
  /** The welcome message with the current settings. */
  welcome: () => Welcome | CheckoutWelcome
  receive: (event: FrameEvent) => void
  /** Called once, after the form was removed, with a fault that it could not report itself. */
  fail: (error: WidgetError) => void
}

/**
 * A form in an iframe of another origin: one of the page's own markup, which is adopted, or a new one. `end` releases everything that it
 * acquired.
 */
export class FrameSession implements FormSession {
  readonly #target: FrameTarget
  readonly #callbacks: SessionCallbacks
  readonly #ended = new AbortController()
  readonly #timers = new Set<() => void>()
  #frame: HTMLIFrameElement
  /** Whether the frame is of the page's markup, and no form has answered in it yet. */
  #isEarly: boolean
  /** The name of the document that was welcomed last. */
  #welcomed = ''
  /** Whether that document has answered. */
  #isAlive = false
  #channel: FrameChannel | undefined
  #height = 0
  /** What most likely keeps the form away. */
  #suspicion: WidgetError | null = null
  /** Whether something that a person has typed stands in the form of this document. */
  #isTyped = false
  /** Whether somebody was in a frame that this one has replaced: then they are led back, and told to begin again. */
  #wasInUse: boolean

  constructor(target: FrameTarget, callbacks: SessionCallbacks) {
    this.#target = target
    this.#callbacks = callbacks
    const { container } = target
    const { signal } = this.#ended
    addEventListener('message', this.#hear, { signal })
    document.addEventListener('securitypolicyviolation', this.#checkViolation, { signal })
    // jsdom has none.
    if (typeof matchMedia === 'function')
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#sendScheme, { signal })
    const wasInUse = isInUse(container)
    const early = makeRoom(target)
    this.#isEarly = early !== null
    this.#wasInUse = wasInUse && early === null
    this.#frame = early ?? this.#makeFrame()
    this.#listenTo(this.#frame)
    if (early === null) {
      this.#expireAfter(LOAD_TIMEOUT_MS)
      container.appendChild(this.#frame)
      keepPlace(this.#frame, target)
    } else {
      dressEarlyFrame(early, target, colorSchemeOf(container))
      this.#expireAfter(ANSWER_TIMEOUT_MS)
      askForHello(this.#frame)
    }
  }

  get isDetached(): boolean {
    return !this.#frame.isConnected
  }

  send(command: Command): void {
    if (command.command === 'set' && command.settings.language) this.#frame.lang = command.settings.language
    this.#channel?.send(command)
  }

  fit(shrinks: boolean): void {
    // A hidden form has no height.
    if (this.#height <= (shrinks ? 0 : parseFloat(this.#frame.style.height))) return
    // Prevents a scrollbar while the height changes.
    this.#frame.setAttribute('scrolling', 'no')
    setHeight(this.#frame, this.#height)
  }

  focus(): void {
    this.#frame.focus()
  }

  setVisibility(visibility: Visibility): void {
    Object.assign(this.#frame.style, visibility)
  }

  end(): void {
    this.#stopTimers()
    this.#ended.abort()
    this.#channel?.close()
    this.#channel = undefined
    removeElement(this.#frame)
  }

  #makeFrame(): HTMLIFrameElement {
    return createFrameElement(this.#target, colorSchemeOf(this.#target.container))
  }

  #listenTo(frame: HTMLIFrameElement): void {
    const { signal } = this.#ended
    frame.addEventListener('load', this.#seeLoad, { signal })
    const giveUp = (event: Event) => {
      event.preventDefault()
      this.#fail(formReplaced())
    }
    frame.addEventListener(REPLACED, giveUp, { signal })
  }

  /** Puts a new frame into the place of one with another document. `given` says what was there. */
  #replace(given: string): void {
    const former = this.#frame
    const { display, visibility } = former.style
    this.#wasInUse = isInUse(former)
    reportNotAdopted(given, this.#target.origin + this.#target.path)
    this.#stopTimers()
    this.#isEarly = this.#isAlive = false
    this.#frame = this.#makeFrame()
    Object.assign(this.#frame.style, { display, visibility })
    this.#listenTo(this.#frame)
    this.#expireAfter(LOAD_TIMEOUT_MS)
    former.parentNode?.replaceChild(this.#frame, former)
    keepPlace(this.#frame, this.#target)
  }

  /** A document of the service says hello by itself; one that the browser or a proxy shows in its place never does. */
  readonly #seeLoad = ({ currentTarget }: Event) => {
    if (currentTarget !== this.#frame) return
    this.#expireAfter(ANSWER_TIMEOUT_MS)
    this.#timers.add(afterRunning(SUSPICIOUS_MS, () => void this.#askWhy()))
    askForHello(this.#frame)
  }

  /**
   * The hello is a sign from the frame's own window and origin: what a form says comes by its port. A frame of the page's whose document
   * is of another origin, or of none for its sandbox, is of no use.
   */
  readonly #hear = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== this.#frame.contentWindow || !isHello(data)) return
    if (origin === this.#target.origin) this.#meet(data)
    else if (this.#isEarly) this.#replace(`${this.#frame.src} (whose origin is ${origin})`)
  }

  #meet({ document: name, address, is_taken }: Hello): void {
    const { origin, path } = this.#target
    // Of a new frame any address is taken: where a proxy leads to another one, it would be replaced for ever.
    const isNew = !this.#isEarly && !this.#isAlive
    if (name === this.#welcomed) {
      if (this.#isAlive) this.#stopTimers() // It answers after its load event, too.
    } else if (!isNew && !isSameForm(origin + address, origin + path)) {
      this.#replace(origin + address)
    } else if (this.#isEarly && is_taken) {
      this.#replace(`${origin}${address} (welcomed by another script)`)
    } else {
      this.#welcomed = name
      this.#welcome(address)
    }
  }

  /** A document that was reloaded or replaced gets a channel of its own. */
  #welcome(address: string): void {
    this.#channel?.close()
    this.#isAlive = false
    this.#expireAfter(ANSWER_TIMEOUT_MS)
    this.#timers.add(afterRunning(SUSPICIOUS_MS, () => void this.#askWhy()))
    const { contentWindow } = this.#frame
    if (contentWindow === null) return
    const welcome = {
      ...this.#callbacks.welcome(),
      ...((this.#isTyped || this.#wasInUse) && { is_reloaded: true as const }),
    }
    this.#isTyped = false
    const { origin, language } = this.#target
    const isInLanguage = new URL(origin + address).searchParams.get('language') === language
    const settings = { ...(!isInLanguage && { language }), ...welcome.settings, ...this.#scheme() }
    if (this.#target.isAsBuilt) this.#removeSkeleton()
    const greeting = { ...welcome, settings }
    this.#channel = openFrameChannel(contentWindow, origin, greeting, {
      receive: this.#receive,
      rename: (title) => (this.#frame.title = title),
      noteTyped: (isTyped) => (this.#isTyped = isTyped),
    })
  }

  readonly #receive = (event: FrameEvent) => {
    if (event.event === 'afterLoad' || 'error' in event) {
      this.#isEarly = false
      this.#isAlive = true
      this.#stopTimers()
      this.#removeSkeleton()
    }
    if (event.event === 'afterLoad' && this.#wasInUse) {
      this.#wasInUse = false
      this.focus()
      this.send({ command: 'focus' })
    }
    if (event.event === 'resize') this.#height = event.height
    if (event.event === 'finish' || event.event === 'paymentSuccessful') this.#isTyped = false
    this.#callbacks.receive(event)
  }

  /** The form itself shows: bars behind it would shine through. */
  #removeSkeleton(): void {
    this.#frame.style.background = ''
  }

  readonly #sendScheme = () => this.send({ command: 'set', settings: this.#scheme() })

  /** The frame's element says it too: where the two differ, a browser paints a background of its own behind the form. */
  #scheme() {
    const scheme = colorSchemeOf(this.#target.container)
    this.#frame.style.colorScheme = scheme
    return { color_scheme: scheme }
  }

  /** Fails early when the page's own Content-Security-Policy blocks the frame; a report-only policy does not. */
  readonly #checkViolation = ({
    blockedURI,
    disposition,
    effectiveDirective,
  }: SecurityPolicyViolationEvent) => {
    const { origin } = this.#target
    const isOurs = `${blockedURI}/`.startsWith(`${origin}/`)
    const isFrame = effectiveDirective !== 'connect-src'
    if (isOurs && isFrame && disposition === 'enforce' && this.#timers.size > 0)
      this.#fail(blockedByCsp(origin))
  }

  async #askWhy(): Promise<void> {
    const refusal = await loadRefusalOf(this.#target.origin, this.#target.path)
    if (this.#timers.size === 0) return
    this.#suspicion = refusal
    if (refusal?.retryable === false) this.#fail(refusal)
  }

  #fail(error: WidgetError): void {
    this.end()
    this.#callbacks.fail(error)
  }

  #expireAfter(milliseconds: number): void {
    const expire = () => {
      if (this.isDetached) this.#fail(formNotInPage())
      else if (this.#isEarly) this.#replace(`${this.#frame.src} (which does not answer)`)
      else this.#fail(this.#suspicion ?? frameNotLoaded(this.#target.origin))
    }
    this.#timers.add(afterRunning(milliseconds, expire))
  }

  #stopTimers(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}

const TICK_MS = 500

/**
 * Calls back once the page has run for some ms, by ticks that each count as one, however late they come. So time does not pass while the
 * page is frozen or the device asleep, and a page that could not run its scripts still hears what has come meanwhile. While a
 * page is prerendered, frames of other origins wait until a person sees it. Returns the function that cancels.
 */
export function afterRunning(milliseconds: number, work: () => void): () => void {
  let left = milliseconds
  const timer = setInterval(() => {
    const isPrerendered = 'prerendering' in document && document.prerendering === true
    if (!isPrerendered) left -= TICK_MS
    if (left > 0) return
    clearInterval(timer)
    work()
  }, TICK_MS)
  return () => clearInterval(timer)
}

type ColorScheme = NonNullable<WidgetSettings['color_scheme']>

/** Of 1: what is darker has light texts on it. */
const DARK_BELOW = 0.43

/**
 * The colour schemes of the page around an element, so that the form is dark only where the page is. A page declares them by the
 * style `color-scheme` or, where that is `normal`, by the meta element of that name; one that declares none is as dark as
 * its background.
 */
export function colorSchemeOf(element: Element): ColorScheme {
  const styled = getComputedStyle(element).colorScheme
  const named = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')?.content ?? ''
  const words = [styled, named].find((text) => /dark|light/.test(text))
  if (words === undefined) return isOnDark(element) ? 'dark' : 'light'
  if (!words.includes('dark')) return 'light'
  return words.includes('light') ? 'light dark' : 'dark'
}

/** Whether the first background around an element that can't be seen through is dark; a page without one is white. */
function isOnDark(element: Element | null): boolean {
  if (element === null) return false
  // Such as `rgb(20, 20, 30)`, `oklch(0.2 0.02 260 / 0.9)` or `color(srgb 0 0 0.25)`.
  const words = getComputedStyle(element).backgroundColor.split(/[\s,/()]+/)
  const numbers = words.filter((word) => /^([-.\d]|none)/.test(word)).map((word) => parseFloat(word) || 0)
  const [one, two, three, alpha = 1] = numbers
  if (one === undefined || two === undefined || three === undefined || alpha < 0.5)
    return isOnDark(parentOf(element))
  const [name = ''] = words
  // Of lab, lch, oklab and oklch the first number says how light the colour is.
  if (/l(ab|ch)$/.test(name)) return one / (name.startsWith('ok') ? 1 : 100) < DARK_BELOW
  return (0.2126 * one + 0.7152 * two + 0.0722 * three) / (name.startsWith('rgb') ? 255 : 1) < DARK_BELOW
}
