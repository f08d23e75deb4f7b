import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import { randomUuid } from '../../contract/page/random-uuid.ts'
import { PROTOCOL } from '../../contract/page/widget-channel.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { VERSION } from '../constants.ts'
import { checkEnvironment, widgetOrigin } from './environment.ts'
import type { EnvironmentName } from './environment.ts'
import type { Visibility } from './frame-element.ts'
import { makeRoom } from './early-frame.ts'
import type { FormSession, SessionCallbacks } from './frame-session.ts'
import type { FrameTarget } from './frame-element.ts'
import { Deferred } from './deferred.ts'
import { originFault } from './load-faults.ts'
import { reportInConsole } from './report-in-console.ts'
import { destroyed, formNotInPage, formNotLoaded } from './widget-faults.ts'
import { WidgetError } from '../widget-error.ts'
import { commonOpener } from './form-opener.ts'
import type { FormOpener, OpenSession } from './form-opener.ts'
import { found } from '../page/page-input.ts'
import { pageLanguage } from '../settings/page-language.ts'

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

  /** Comes from where another's documents come from, in its language, or else that of its template, and with its looks. */
  follow(other: FrameHost, template: WidgetSettings['language']): void {
    this.#environment = other.#environment
    this.#origin = other.#origin
    this.#settings = { ...(template && { language: template }), ...other.#settings }
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

/** Changes the settings of a widget, checkout or bank's step, and returns that. */
export function changed<Owner extends object>(owner: Owner, change: WidgetSettings): Owner {
  hostOf(owner).change(change)
  return owner
}

interface LoaderCallbacks extends SessionCallbacks {
  open: (target: FrameTarget, callbacks: SessionCallbacks) => FormSession
}

/** Loads the form into the page, at most one at a time, and removes it again. */
class FormLoader {
  readonly #callbacks: LoaderCallbacks
  #session: FormSession | undefined
  #loading: Deferred<void> | undefined
  #visibility: Visibility | undefined
  #closed = false
  /** Why the last form was not asked for, until that is told. */
  #fault: WidgetError | null = null
  /** Why the last form is gone. */
  #end: WidgetError | undefined

  constructor(callbacks: LoaderCallbacks) {
    this.#callbacks = callbacks
  }

  /** Whether a form is loaded and can be typed into, and the page has not removed it. */
  get ready(): boolean {
    return this.#loading?.pending === false && this.#session?.isDetached === false
  }

  /** Why there is no form that could be submitted. */
  get absence(): WidgetError {
    if (this.#closed) return destroyed()
    return this.#session?.isDetached ? formNotInPage() : (this.#end ?? formNotLoaded())
  }

  /** Returns the same promise while the form is loading or loaded, and tries again after a fault. */
  load(target: FrameTarget, signal?: AbortSignal): Promise<void> {
    // The page may have removed the form, for example when it rendered itself again.
    if (this.#session?.isDetached) this.#stop(formNotInPage())
    if (this.#loading) return this.#loading.promise
    const loading = (this.#loading = new Deferred<void>())
    if (signal instanceof AbortSignal) loading.until(signal, (reason) => this.#stop(reason))
    if (this.#closed) this.#refuse()
    else if (signal?.aborted) this.#stop(signal.reason)
    else this.#open(target)
    return loading.promise
  }

  /** Replaces the form with a new one. A pending load then settles with the new form. */
  reload(target: FrameTarget): Promise<void> {
    if (!this.#loading?.pending) {
      this.#loading = undefined
      return this.load(target)
    }
    this.#open(target)
    return this.#loading.promise
  }

  /** Whether it was closed for good. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** The form that is loading or loaded. */
  get session(): FormSession | undefined {
    return this.#session
  }

  /** Shows or hides this form and later ones. */
  setVisibility(visibility: Visibility): void {
    this.#visibility = visibility
    this.#session?.setVisibility(visibility)
  }

  /** Removes the form for good: a later `load` is rejected. */
  close(): void {
    this.#closed = true
    this.#stop(destroyed())
  }

  /** Nobody listens to a widget that was destroyed. */
  #refuse(): void {
    reportInConsole(destroyed())
    this.#stop(destroyed())
  }

  #open(target: FrameTarget): void {
    this.#session?.end()
    this.#end = undefined
    this.#fault = target.fault ?? originFault(target.origin)
    if (this.#fault) {
      makeRoom({ ...target, fault: this.#fault })
      queueMicrotask(() => {
        if (this.#fault) this.#fail(this.#fault)
      })
      return
    }
    this.#session = this.#callbacks.open(target, {
      ...this.#callbacks,
      receive: (event) => this.#receive(event),
      fail: (error) => this.#fail(error),
    })
    if (this.#visibility) this.#session.setVisibility(this.#visibility)
  }

  /** A form that reports a fault itself stays in the page, where the shopper reads it. */
  #receive(event: FrameEvent): void {
    if (event.event === 'afterLoad') this.#loading?.succeed()
    if (event.event === 'systemError' && this.#loading?.pending) {
      this.#loading.fail(new WidgetError(event.error, event))
      this.#loading = undefined
    }
    this.#callbacks.receive(event)
  }

  #fail(error: WidgetError): void {
    this.#end = error
    this.#stop(error)
    this.#callbacks.fail(error)
  }

  #stop(reason: unknown): void {
    this.#session?.end()
    this.#session = undefined
    this.#fault = null
    this.#loading?.fail(reason)
    this.#loading = undefined
  }
}
