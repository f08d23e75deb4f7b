import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { randomUuid } from '../../contract/page/random-uuid.ts'
import { PROTOCOL } from '../../contract/page/widget-channel.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { VERSION } from '../constants.ts'
import { checkEnvironment, widgetOrigin } from './environment.ts'
import type { EnvironmentName } from './environment.ts'
import { FormLoader } from './form-loader.ts'
import { commonOpener } from './form-opener.ts'
import type { FormOpener, OpenSession } from './form-opener.ts'
import type { FrameTarget } from './frame-session.ts'
import { found } from '../page/page-input.ts'
import { pageLanguage } from '../settings/page-language.ts'
import type { WidgetError } from '../widget-error.ts'

/** What a widget or a checkout adds to its host. */
interface HostCallbacks {
  /** The part of the welcome message that differs between the widget and the checkout. */
  welcome: () => { settings: WidgetSettings } | { token: string }
  receive: (event: FrameEvent) => void
}

/** Holds the form of one widget or checkout: its settings, the origin of its frame, and its connection to the page. */
class FrameHost {
  readonly form = new FormLoader({
    open: (target, callbacks) => this.#opener.open(target, callbacks),
    welcome: () => ({
      channel: 'widget.svc',
      protocol: PROTOCOL,
      widget_id: this.#id,
      settings: this.#settings,
      ...this.#callbacks?.welcome(),
    }),
    receive: (event) => this.#callbacks?.receive(event),
    fail: (error) => this.reportFault(error),
  })
  readonly #id = randomUuid()
  #container: string | Element = 'html'
  #callbacks: HostCallbacks | undefined
  #settings: WidgetSettings = {}
  #environment: EnvironmentName = 'sandbox'
  /** Empty when it is unknown. */
  #origin = widgetOrigin('sandbox')
  #ownOpener: FormOpener | undefined

  /** To be called before anything is loaded. */
  connect(container: string | Element, callbacks: HostCallbacks): void {
    this.#container = container
    this.#callbacks = callbacks
  }

  /** For the test double: opens another kind of form, which fetches nothing from the origin. */
  openWith(open: OpenSession, origin: string): void {
    this.#ownOpener = { open, origin }
  }

  get #opener(): FormOpener {
    return this.#ownOpener ?? commonOpener()
  }

  get settings(): WidgetSettings {
    return this.#settings
  }

  /** Merges a change into the settings and sends it to a form that is open. */
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

  /** That of the page around the container. */
  get pageLanguage(): Language {
    return pageLanguage(found(this.#container) ?? document.documentElement)
  }

  /** Origin and path of a document (`frame` or `checkout`) in the form's language, or else the template's, or the page's. */
  addressOf(
    name: string,
    query: Record<string, string>,
    template?: WidgetSettings['language'],
  ): Pick<FrameTarget, 'origin' | 'path' | 'language'> {
    const language = this.#settings.language ?? template ?? this.pageLanguage
    const search = new URLSearchParams({ ...query, language })
    return {
      language,
      origin: this.#opener.origin ?? this.#origin,
      path: `/sdk/v${VERSION}/${name}?${String(search)}`,
    }
  }

  /** Emits a `systemError` on behalf of a form that cannot do so itself. */
  reportFault({ code, message, retryable }: WidgetError): void {
    this.#callbacks?.receive({
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

/** The host of a widget or checkout, created on first use. A map keeps it out of the classes' public types. */
export function hostOf(owner: object): FrameHost {
  const host = hosts.get(owner) ?? new FrameHost()
  hosts.set(owner, host)
  return host
}
