import type { FramedDocument } from '../framed-document.ts'
import { checkEnvironment } from '../iframe-host/environment.ts'

/** What an element shows while it is in a page. */
interface Shown extends FramedDocument {
  load: () => unknown
  destroy: () => void
}

interface Description<Of extends Shown> {
  /** Property of the element that holds what it shows. */
  property: string
  /** Attributes without which nothing is shown, or by which something else is. */
  attributes: readonly string[]
  /** Attributes that can change while it is shown. */
  setters: Readonly<Record<string, (shown: Of, value: string) => unknown>>
  /** By the element's attributes; undefined while one is missing: frameworks set them one after the other. */
  create: (element: HTMLElement) => Of | undefined
}

/** Defines a custom element that shows something while it is in a page. Does nothing on a server or if the name is already defined. */
export function defineElement<Of extends Shown>(
  name: string,
  { property, attributes, setters, create }: Description<Of>,
): void {
  if (typeof customElements === 'undefined' || customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement {
      static readonly observedAttributes = [...attributes, 'environment', 'origin', ...Object.keys(setters)]
      #shown: Of | undefined
      /** Also where nothing is shown, as an attribute is missing or was refused. */
      #isPlaced = false

      constructor() {
        super()
        Object.defineProperty(this, property, { get: () => this.#shown })
      }

      connectedCallback() {
        this.#isPlaced = true
        this.style.display ||= 'block'
        if (!this.#shown) this.#show()
      }

      /** Waits a moment: an element that is only moved keeps what it shows. */
      disconnectedCallback() {
        queueMicrotask(() => {
          if (this.isConnected) return
          this.#isPlaced = false
          this.#remove()
        })
      }

      attributeChangedCallback(attribute: string, before: string | null, value: string | null) {
        if (!this.#isPlaced || before === value) return
        const set = setters[attribute]
        if (!set) this.#show()
        else if (this.#shown) set(this.#shown, value ?? '')
      }

      #show() {
        this.#remove()
        const shown = shownBy(this, { create, setters })
        this.#shown = shown
        afterMarkup(this, () => {
          if (shown && this.#shown === shown) void shown.load()
        })
      }

      #remove() {
        this.#shown?.destroy()
        this.#shown = undefined
      }
    },
  )
}

/** What an element's attributes ask for; undefined while one is missing. */
function shownBy<Of extends Shown>(
  element: HTMLElement,
  { create, setters }: Pick<Description<Of>, 'create' | 'setters'>,
): Of | undefined {
  const environment = element.getAttribute('environment') ?? 'sandbox'
  checkEnvironment(environment)
  const shown = create(element)
  shown?.setEnv(environment, element.getAttribute('origin') ?? undefined)
  for (const [attribute, set] of Object.entries(setters)) {
    const value = element.getAttribute(attribute)
    if (shown && value !== null) set(shown, value)
  }
  return shown
}

/** A callback that tells an element's listeners of each event by a `CustomEvent` of that name, with the event as `detail`. */
export function telling(element: Element, name: string) {
  return (detail: unknown): void => void element.dispatchEvent(new CustomEvent(name, { detail }))
}

/** Calls back once what stands between an element's tags is there, which may be a form: a page that is still read has only the first tag. */
function afterMarkup(element: Element, work: () => void): void {
  if (document.readyState === 'loading' && element.nextSibling === null)
    document.addEventListener('DOMContentLoaded', work, { once: true })
  else queueMicrotask(work)
}
