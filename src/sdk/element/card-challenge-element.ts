import type { Canvas3dsEventName, Canvas3dsEventOf } from '../canvas-3ds.ts'
import { Canvas3ds } from '../canvas-3ds.ts'
import { checkEnvironment } from '../iframe-host/environment.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'

const EVENT_NAMES = [
  'chargeAuthSuccess',
  'chargeAuthReject',
  'chargeAuthCancelled',
  'chargeAuthInfo',
] as const satisfies Canvas3dsEventName[]

/** Adds a listener: of the step's events it gets a `CustomEvent`. `error` is one of an `ErrorEvent`'s name, so it has another. */
interface AddListener {
  <Name extends (typeof EVENT_NAMES)[number]>(
    type: Name,
    listener: (event: CustomEvent<Canvas3dsEventOf<Name>>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  (
    type: 'challengeError',
    listener: (event: CustomEvent<Canvas3dsEventOf<'error'>>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

/** `<svc-card-challenge>`: what a card holder's bank asks; each event is a `CustomEvent` of that name, with the event as `detail`. */
export interface CardChallengeElement extends HTMLElement {
  /** The step, while the element is in a page and has its attributes. */
  readonly canvas: Canvas3ds | undefined
  addEventListener: AddListener
}

/** The attributes of `<svc-card-challenge>`: id and token are those of the charge's `_3ds`. */
export interface CardChallengeAttributes {
  'authentication-id': string
  token: string
  environment?: EnvironmentName | undefined
  origin?: string | undefined
  language?: string | undefined
}

const ATTRIBUTES = ['authentication-id', 'token', 'environment', 'origin', 'language']

/** Defines the custom element. Does nothing on a server or if the name is already defined. */
export function defineCardChallenge(name = 'svc-card-challenge'): void {
  if (typeof customElements === 'undefined' || customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement implements CardChallengeElement {
      static readonly observedAttributes = ATTRIBUTES
      canvas: Canvas3ds | undefined
      #isPlaced = false

      connectedCallback() {
        this.#isPlaced = true
        this.style.display ||= 'block'
        if (!this.canvas) this.#show()
      }

      /** Waits a moment: an element that is only moved keeps its step. */
      disconnectedCallback() {
        queueMicrotask(() => {
          if (this.isConnected) return
          this.#isPlaced = false
          this.#remove()
        })
      }

      attributeChangedCallback(_attribute: string, before: string | null, value: string | null) {
        if (this.#isPlaced && before !== value) this.#show()
      }

      /** Nothing while an attribute is still missing: frameworks set them one after the other. */
      #show() {
        this.#remove()
        const id = this.getAttribute('authentication-id')
        const token = this.getAttribute('token')
        if (id === null || token === null) return
        const canvas = canvasOf(this, { id, token })
        this.canvas = canvas
        for (const event of EVENT_NAMES) canvas.on(event, (detail) => this.#tell(event, detail))
        canvas.on('error', (detail) => this.#tell('challengeError', detail))
        queueMicrotask(() => {
          if (this.canvas === canvas) void canvas.load()
        })
      }

      #tell(name: string, detail: unknown) {
        this.dispatchEvent(new CustomEvent(name, { detail }))
      }

      #remove() {
        this.canvas?.destroy()
        this.canvas = undefined
      }
    },
  )
}

function canvasOf(element: HTMLElement, authentication: { id: string; token: string }): Canvas3ds {
  const environment = element.getAttribute('environment') ?? 'sandbox'
  checkEnvironment(environment)
  const canvas = new Canvas3ds(element, authentication)
  canvas.setEnv(environment, element.getAttribute('origin') ?? undefined)
  const language = element.getAttribute('language')
  return language === null ? canvas : canvas.setLanguage(language)
}
