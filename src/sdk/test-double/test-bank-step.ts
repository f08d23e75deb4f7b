import type { AuthenticationEnd } from '../../contract/page/authentication-event.ts'
import type { FrameEventContent } from '../../contract/page/checkout-event.ts'
import type { Command } from '../../contract/page/widget-channel.ts'
import { authenticate } from '../authenticate.ts'
import type { AuthenticateOptions, AuthenticationResult } from '../authenticate.ts'
import { Canvas3ds } from '../canvas-3ds.ts'
import type { Authentication3ds } from '../canvas-3ds.ts'
import type { FrameTarget, Visibility } from '../iframe-host/frame-element.ts'
import { hostOf } from '../iframe-host/frame-host.ts'
import type { FormSession, SessionCallbacks } from '../iframe-host/frame-session.ts'
import { UNUSED_ORIGIN } from './outcomes.ts'

/** How a bank's step ends, as a test says it. */
export type StepEnd = 'authenticated' | 'failed' | 'cancelled' | 'timed_out'

const BUTTONS = { Confirm: 'authenticated', Refuse: 'failed', Cancel: 'cancelled' } as const

/** A bank's step as three buttons in the page, Confirm, Refuse and Cancel, without a frame and a bank. */
export class TestBankStep implements FormSession {
  readonly #callbacks: SessionCallbacks
  readonly #id: string
  readonly #element = document.createElement('div')
  #ended = false

  /** `end`: it ends so by itself; undefined: by a button. */
  constructor({ container, path }: FrameTarget, callbacks: SessionCallbacks, end: StepEnd | undefined) {
    this.#callbacks = callbacks
    this.#id = new URL(path, UNUSED_ORIGIN).searchParams.get('authentication_id') ?? ''
    this.#element.dataset['testid'] = 'svc-bank-step'
    this.#element.append(...Object.entries(BUTTONS).map(([text, status]) => this.#button(text, status)))
    container.append(this.#element)
    queueMicrotask(() => {
      this.#emit({ event: 'afterLoad' })
      this.#emit({ event: 'chargeAuthInfo', authentication_id: this.#id, info: 'challenge' })
      if (end !== undefined) this.#finish(end)
    })
  }

  get isDetached(): boolean {
    return !this.#element.isConnected
  }

  send({ command }: Command): void {
    if (command === 'cancel') this.#finish('cancelled')
  }

  setVisibility(visibility: Visibility): void {
    Object.assign(this.#element.style, visibility)
  }

  /** It has its own height. */
  fit(): void {
    return undefined
  }

  focus(): void {
    this.#element.querySelector('button')?.focus()
  }

  end(): void {
    this.#ended = true
    this.#element.remove()
  }

  #button(text: string, status: StepEnd): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = text
    button.addEventListener('click', () => this.#finish(status))
    return button
  }

  #finish(status: AuthenticationEnd['status'] & StepEnd): void {
    const event =
      status === 'authenticated'
        ? 'chargeAuthSuccess'
        : status === 'cancelled'
          ? 'chargeAuthCancelled'
          : 'chargeAuthReject'
    this.#emit({ event, authentication_id: this.#id, status })
  }

  #emit(event: FrameEventContent): void {
    if (this.#ended) return
    const { widget_id } = this.#callbacks.welcome()
    this.#callbacks.receive({
      ...event,
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id: '',
      widget_id,
    })
  }
}

/** A bank's step for tests: the same methods and events, with three buttons in the page. */
export class TestCanvas3ds extends Canvas3ds {
  #end: StepEnd | undefined

  constructor(...parameters: ConstructorParameters<typeof Canvas3ds>) {
    super(...parameters)
    hostOf(this).openWith(
      (target, callbacks) => new TestBankStep(target, callbacks, this.#end),
      UNUSED_ORIGIN,
    )
  }

  /** The step ends so by itself, once it is loaded. */
  endWith(status: StepEnd): this {
    this.#end = status
    return this
  }
}

/** The dialog of tests: `svc.authenticate` with three buttons in it. */
export function testAuthenticate(
  authentication: Authentication3ds,
  { prepare, signal }: AuthenticateOptions = {},
): Promise<AuthenticationResult> {
  provideDialogs()
  return authenticate(authentication, {
    signal,
    prepare: (canvas) => {
      const open = (target: FrameTarget, callbacks: SessionCallbacks) =>
        new TestBankStep(target, callbacks, undefined)
      hostOf(canvas).openWith(open, UNUSED_ORIGIN)
      return prepare?.(canvas)
    },
  })
}

/** jsdom has no modal dialogs. */
export function provideDialogs(): void {
  const prototype: Partial<HTMLDialogElement> = HTMLDialogElement.prototype
  prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
}
