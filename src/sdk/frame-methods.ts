import type { FrameEvent } from '../contract/checkout-event.ts'
import { PROTOCOL } from '../contract/widget-channel.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import { VERSION } from './constants.ts'
import { EnvironmentMethods } from './environment-methods.ts'
import { FormLoader } from './form-loader.ts'
import { FrameSession } from './frame-session.ts'
import type { FormSession, FrameTarget, SessionParts } from './frame-session.ts'
import { randomUuid } from './random-uuid.ts'
import type { WidgetError } from './widget-error.ts'

/** The one form of a page's object: where it comes from, what it is greeted with, and how its faults are told. */
export abstract class FrameMethods extends EnvironmentMethods {
  readonly #id = randomUuid()
  /** @internal */
  protected readonly form = new FormLoader({
    open: (target, parts) => this.openSession(target, parts),
    welcome: () => ({
      channel: 'widget.svc',
      protocol: PROTOCOL,
      widget_id: this.#id,
      settings: this.settings,
      ...this.greeting(),
    }),
    receive: (event) => this.hear(event),
    fail: (error) => this.tellFault(error),
  })

  /** @internal A test double shows a form of another kind. */
  protected openSession(target: FrameTarget, parts: SessionParts): FormSession {
    return new FrameSession(target, parts)
  }

  /** @internal */
  protected tellForm(settings: WidgetSettings): void {
    this.form.session?.send({ command: 'set', settings })
  }

  /** @internal The document of that name, in the form's language. */
  protected addressOf(name: string, query: Record<string, string>): Pick<FrameTarget, 'origin' | 'path'> {
    const { language } = this.settings
    const search = new URLSearchParams({ ...query, ...(language && { language }) })
    return { origin: this.origin, path: `/sdk/v${VERSION}/${name}?${String(search)}` }
  }

  /** @internal What the form could not tell itself. */
  protected tellFault({ code, message, retryable }: WidgetError): void {
    this.hear({
      event: 'systemError',
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id: this.settings.ref_id ?? '',
      widget_id: this.#id,
      error: { code, message, retryable },
    })
  }

  /** @internal What this kind of form is greeted with beside what all are. */
  protected abstract greeting(): { settings: WidgetSettings } | { token: string }

  /** @internal */
  protected abstract hear(event: FrameEvent): void
}
