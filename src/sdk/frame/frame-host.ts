import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { PROTOCOL } from '../../contract/page/widget-channel.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { VERSION } from '../constants.ts'
import { checkEnvironment, widgetOrigin } from './environment.ts'
import type { EnvironmentName } from './environment.ts'
import { FormLoader } from './form-loader.ts'
import { FrameSession } from './frame-session.ts'
import type { FormSession, FrameTarget, SessionParts } from './frame-session.ts'
import { randomUuid } from './random-uuid.ts'
import type { WidgetError } from '../widget-error.ts'

/** Shows a form in the page. */
export type OpenSession = (target: FrameTarget, parts: SessionParts) => FormSession

/** What the object that a page works with adds to its form. */
interface HostParts {
  /** What this kind of form is greeted with beside what all are. */
  greeting: () => { settings: WidgetSettings } | { token: string }
  hear: (event: FrameEvent) => void
}

/** The one form of a page's object: its settings, where it comes from, what it is greeted with, how its faults are told. */
class FrameHost {
  readonly form = new FormLoader({
    open: (target, parts) => this.#open(target, parts),
    welcome: () => ({
      channel: 'widget.svc',
      protocol: PROTOCOL,
      widget_id: this.#id,
      settings: this.#settings,
      ...this.#parts?.greeting(),
    }),
    receive: (event) => this.#parts?.hear(event),
    fail: (error) => this.tellFault(error),
  })
  readonly #id = randomUuid()
  #parts: HostParts | undefined
  #settings: WidgetSettings = {}
  #environment: EnvironmentName = 'sandbox'
  /** Empty when nothing tells it. */
  #origin = widgetOrigin('sandbox')
  #fixedOrigin: string | undefined
  #open: OpenSession = (target, parts) => new FrameSession(target, parts)

  /** To be called before anything is loaded. */
  connect(parts: HostParts): void {
    this.#parts = parts
  }

  /** For a test double: a form of another kind, for which nothing is fetched from the origin. */
  openWith(open: OpenSession, origin: string): void {
    this.#open = open
    this.#fixedOrigin = origin
  }

  get settings(): WidgetSettings {
    return this.#settings
  }

  change(change: WidgetSettings): void {
    this.#settings = mergedSettings(this.#settings, change)
    this.form.session?.send({ command: 'set', settings: change })
  }

  get environment(): EnvironmentName {
    return this.#environment
  }

  setEnvironment(name: EnvironmentName, alias: string | undefined): void {
    checkEnvironment(name)
    this.#origin = widgetOrigin(name, alias)
    this.#environment = name
  }

  /** The document of that name, in the form's language. */
  addressOf(name: string, query: Record<string, string>): Pick<FrameTarget, 'origin' | 'path'> {
    const { language } = this.#settings
    const search = new URLSearchParams({ ...query, ...(language && { language }) })
    return {
      origin: this.#fixedOrigin ?? this.#origin,
      path: `/sdk/v${VERSION}/${name}?${String(search)}`,
    }
  }

  /** Tells what the form could not tell itself. */
  tellFault({ code, message, retryable }: WidgetError): void {
    this.#parts?.hear({
      event: 'systemError',
      purpose: 'payment_source',
      message_source: 'widget.svc',
      ref_id: this.#settings.ref_id ?? '',
      widget_id: this.#id,
      error: { code, message, retryable },
    })
  }
}

const hosts = new WeakMap<object, FrameHost>()

/** The one host of a page's object, made when it is first asked for: by the object's classes, and by a test double. */
export function hostOf(owner: object): FrameHost {
  const host = hosts.get(owner) ?? new FrameHost()
  hosts.set(owner, host)
  return host
}
