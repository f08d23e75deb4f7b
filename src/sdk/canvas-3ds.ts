import type { FrameEvent, FrameEventOf } from '../contract/page/checkout-event.ts'
import { FramedDocument } from './framed-document.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { reportInConsole } from './iframe-host/report-in-console.ts'
import { EventListeners } from './page/event-listeners.ts'
import { elementOf } from './page/page-input.ts'
import { requireKnown } from './settings/merchant-input.ts'

/** The `_3ds` of a charge that waits for its card holder's bank, as the merchant's server has received it. */
export interface Authentication3ds {
  id: string
  token?: string | undefined
}

/** How an authentication ends, the first of them well. */
export const ENDS = ['chargeAuthSuccess', 'chargeAuthReject', 'chargeAuthCancelled'] as const

/** What `Canvas3ds.on` takes. */
const EVENTS = [...ENDS, 'chargeAuthInfo', 'error'] as const

export type Canvas3dsEventName = (typeof EVENTS)[number]

/** The event of the frame that each of them is. */
type FrameEventName<Name extends Canvas3dsEventName> = Name extends 'error' ? 'systemError' : Name

/** What the callback of an event gets. */
export type Canvas3dsEventOf<Name extends Canvas3dsEventName> = FrameEventOf<FrameEventName<Name>>

/** Kept free until the step is there, in px: what most banks' pages need. */
const HEIGHT = 520

/** Shows in an element of the page what the card holder's bank asks. Only the service's own frame needs to be allowed by the page. */
export class Canvas3ds extends FramedDocument {
  readonly #host = hostOf(this)
  readonly #container: string | Element
  readonly #id: string
  #fills = false
  /** Whether the card holder is to be asked once the document is there. */
  #cancels = false
  readonly #listeners = new EventListeners()

  /**
   * `container` is a selector or an element; `authentication` is the `_3ds` of the answer that created the charge.
   * @throws TypeError if that has no id and token.
   */
  constructor(container: string | Element, authentication: Authentication3ds) {
    super()
    // A page without types may pass anything.
    const { id, token }: Partial<Record<string, unknown>> = { ...authentication }
    if (typeof id !== 'string' || typeof token !== 'string')
      throw new TypeError('Pass the _3ds of the charge: its id and token.')
    this.#container = container
    this.#id = id
    this.#host.connect(container, {
      welcome: () => ({ token }),
      receive: (event) => this.#receive(event),
    })
  }

  /**
   * Shows the bank's step. Settles as `HtmlWidget.load` does. `room`: the container has no padding, and is a `dialog` or fills the `screen`;
   * the step then keeps its content off the edge. It is as high as its content, or as a container that fills the screen.
   */
  load({
    signal,
    room,
  }: { signal?: AbortSignal | undefined; room?: 'dialog' | 'screen' } = {}): Promise<void> {
    this.#fills = room === 'screen'
    const query = { authentication_id: this.#id, ...(room && { room }) }
    const height = this.#fills ? 0 : HEIGHT
    const layout = { height, padding: 0, maxWidth: null, bars: [], isAsBuilt: true }
    const target = {
      ...this.#host.addressOf('authentication', query),
      container: elementOf(this.#container),
      isAsBuilt: true,
      layout: () => layout,
    }
    return this.#host.form.load(target, signal)
  }

  /**
   * Calls back on each event of this name.
   * @throws TypeError on an unknown name.
   */
  on<Name extends Canvas3dsEventName>(
    name: Name,
    callback: (event: Canvas3dsEventOf<Name>) => unknown,
  ): this {
    this.#listeners.add(frameEventOf(name), callback)
    return this
  }

  /** Removes one callback of an event, or all of them. */
  off(name: Canvas3dsEventName, callback?: unknown): this {
    this.#listeners.remove(frameEventOf(name), callback)
    return this
  }

  /** Moves the focus into the bank's step. */
  focus(): this {
    return this.#tell('focus')
  }

  /** Asks the card holder whether they want to give up, as soon as the step is there. */
  cancel(): this {
    this.#cancels = !this.#host.form.ready
    return this.#tell('cancel')
  }

  /** Removes the bank's step and all callbacks. What the bank asks stays open until its time is over. */
  destroy(): void {
    this.#listeners.clear()
    this.#host.form.close()
  }

  #tell(command: 'focus' | 'cancel'): this {
    this.#host.form.session?.focus()
    this.#host.form.session?.send({ command })
    return this
  }

  #receive(event: FrameEvent): void {
    if (event.event === 'afterLoad' && this.#cancels) this.cancel()
    if (event.event === 'resize' && !this.#fills) this.#host.form.session?.fit(true)
    if (event.event === 'systemError' && !this.#listeners.has('systemError')) reportInConsole(event.error)
    this.#listeners.emit(event)
    // A document that is moved or loaded again says so again.
    if ('status' in event) this.#listeners.clear()
  }
}

/** Throws a TypeError on an unknown name. */
function frameEventOf<Name extends Canvas3dsEventName>(name: Name): FrameEventName<Name>
function frameEventOf(name: Canvas3dsEventName): FrameEvent['event'] {
  requireKnown('event', EVENTS, name)
  return name === 'error' ? 'systemError' : name
}
