import { parse, union } from 'valibot'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import { ASK_FOR_HELLO, Welcome } from '../../contract/page/widget-channel.ts'
import type { Hello } from '../../contract/page/widget-channel.ts'
import type { HtmlWidget } from '../html-widget.ts'

interface Greeting {
  welcome: Welcome
  /** Of an intent, for a checkout. */
  token: string | undefined
  origin: string
  port: MessagePort
}

/** A message to the page's window. */
interface Sent {
  source?: unknown
  origin?: string
  data?: unknown
}

/** Of all frames: no two documents have one name. */
let documents = 0

/** The document of a widget's frame, for which the test speaks through a real MessageChannel. */
export class FakeFrame {
  readonly element: HTMLIFrameElement
  /** What the page said to the window, as a frame of the same protocol takes it; the last one is in force. */
  readonly greetings: Greeting[] = []
  /** What the page said by the port. */
  readonly commands: unknown[] = []
  /** The document that is in the frame; null while there is none, or one that is not the service's. */
  document: string | null = null
  /** Whether another script has welcomed the document. */
  isTaken = false

  /** Moves into the iframe that is in the page, or in a part of it. */
  constructor(around: ParentNode = document) {
    const element = around.querySelector('iframe')
    if (!element) throw new Error('There is no iframe in the page.')
    this.element = element
    Object.defineProperty(element, 'contentWindow', { value: { postMessage: this.#hear } })
  }

  /** A message reaches the page's window: unless told otherwise, the document's hello. */
  sayHello({
    source = this.element.contentWindow,
    origin = new URL(this.element.src).origin,
    ...message
  }: Sent = {}): this {
    if (this.document === null) this.come()
    const { data = this.hello } = message
    dispatchEvent(Object.assign(new Event('message'), { source, origin, data }))
    return this
  }

  /** A new document comes, and says nothing yet. */
  come(): this {
    documents += 1
    this.document = `document ${String(documents)}`
    return this
  }

  /** The browser has loaded a document, which is asked for its hello. */
  load(): this {
    return this.come().endLoad()
  }

  /** The browser has loaded the document that is there. */
  endLoad(): this {
    this.element.dispatchEvent(new Event('load'))
    return this
  }

  get hello(): Hello {
    const { pathname, search } = new URL(this.element.src)
    return {
      hello: 'widget.svc',
      document: this.document ?? '',
      address: pathname + search,
      is_taken: this.isTaken,
    }
  }

  get greeting(): Greeting {
    const last = this.greetings.at(-1)
    if (!last) throw new Error('The page has not greeted the frame.')
    return last
  }

  say(message: unknown): void {
    this.greeting.port.postMessage(message)
  }

  /** Says a whole event out of the fields that are its own. */
  emit(event: { event: string; [field: string]: unknown }): void {
    this.say({ ...this.base, ...event })
  }

  get base() {
    const { widget_id, settings } = this.greeting.welcome
    const { ref_id = '' } = settings
    return { purpose: 'payment_source', message_source: 'widget.svc', widget_id, ref_id }
  }

  /** Comes back once the page has had everything that was said before: messages of a port keep their order. */
  async heardBy(widget: HtmlWidget): Promise<void> {
    const last = widget.on('blur')
    this.emit({ event: 'blur', field: 'card_ccv' })
    await last
  }

  readonly #hear = (message: unknown, origin: string, [port]: MessagePort[] = []) => {
    if (message === ASK_FOR_HELLO) {
      if (this.document !== null) this.sayHello()
      return
    }
    if (!port) throw new Error('A greeting brings a port.')
    port.onmessage = (command: MessageEvent<unknown>) => this.commands.push(command.data)
    const welcome = parse(union([Welcome, CheckoutWelcome]), message)
    this.greetings.push({ welcome, token: 'token' in welcome ? welcome.token : undefined, origin, port })
  }
}
