import type { Canvas3dsEventName, Canvas3dsEventOf } from '../canvas-3ds.ts'
import { Canvas3ds } from '../canvas-3ds.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import { defineElement, telling } from './define-element.ts'

const EVENT_NAMES = [
  'chargeAuthSuccess',
  'chargeAuthReject',
  'chargeAuthCancelled',
  'chargeAuthInfo',
] as const satisfies Canvas3dsEventName[]

/** Adds a listener: of the step's events it gets a `CustomEvent`. The step's `error` is named `challengeError` here, as the page's `error` is an `ErrorEvent`. */
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

/** Defines the custom element. Does nothing on a server or if the name is already defined. */
export function defineCardChallenge(name = 'svc-card-challenge'): void {
  defineElement<Canvas3ds>(name, {
    property: 'canvas',
    attributes: ['authentication-id', 'token'],
    setters: { language: (canvas, value) => canvas.setLanguage(value) },
    create: (element) => {
      const id = element.getAttribute('authentication-id')
      const token = element.getAttribute('token')
      if (id === null || token === null) return undefined
      const canvas = new Canvas3ds(element, { id, token })
      for (const event of EVENT_NAMES) canvas.on(event, telling(element, event))
      return canvas.on('error', telling(element, 'challengeError'))
    },
  })
}
