import { THEMES } from '../../contract/page/widget-appearance.ts'
import { EVENT_NAMES } from '../../contract/page/widget-event.ts'
import { checkEnvironment } from '../frame/environment.ts'
import { HtmlWidget } from '../html-widget.ts'
import { knownNames } from '../settings/known-entries.ts'

/** `<svc-card-widget>`: each event of the widget is a `CustomEvent` of that name, with the event as `detail`. */
export interface CardWidgetElement extends HTMLElement {
  /** The widget, with all its methods, while the element is in a page. What is set at once is there at the first load. */
  readonly widget: HtmlWidget | undefined
}

/** Attributes that a widget is made of: when one changes, another widget takes its place. */
const MAKERS = ['public-key', 'gateway-id', 'environment', 'origin']

/** Attributes that can change while the form is there. */
const SETTERS: Record<string, (widget: HtmlWidget, value: string) => unknown> = {
  language: (widget, value) => widget.setLanguage(value),
  'ref-id': (widget, value) => widget.setRefId(value),
  theme: (widget, value) => knownNames('themes', THEMES, [value]).map((theme) => widget.setTheme(theme)),
}

/** Makes the element known to the page by its name; on a server, or a second time, nothing happens. */
export function defineCardWidget(name = 'svc-card-widget'): void {
  if (typeof customElements === 'undefined' || customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement implements CardWidgetElement {
      static readonly observedAttributes = [...MAKERS, ...Object.keys(SETTERS)]
      widget: HtmlWidget | undefined

      connectedCallback() {
        this.style.display ||= 'block'
        if (!this.widget) this.#make()
      }

      /** An element that is only moved is back in the page a moment later, with its widget. */
      disconnectedCallback() {
        queueMicrotask(() => {
          if (!this.isConnected) this.#forget()
        })
      }

      attributeChangedCallback(attribute: string, before: string | null, value: string | null) {
        if (!this.widget || before === value) return
        if (MAKERS.includes(attribute)) this.#make()
        else SETTERS[attribute]?.(this.widget, value ?? '')
      }

      #make() {
        this.#forget()
        const widget = widgetOf(this)
        this.widget = widget
        for (const event of EVENT_NAMES) {
          widget.on(event, (detail) => void this.dispatchEvent(new CustomEvent(event, { detail })))
        }
        queueMicrotask(() => {
          if (this.widget === widget) void widget.load()
        })
      }

      #forget() {
        this.widget?.destroy()
        this.widget = undefined
      }
    },
  )
}

function widgetOf(element: HTMLElement): HtmlWidget {
  const environment = element.getAttribute('environment') ?? 'sandbox'
  checkEnvironment(environment)
  const key = element.getAttribute('public-key') ?? ''
  const widget = new HtmlWidget(element, key, element.getAttribute('gateway-id') ?? undefined)
  widget.setEnv(environment, element.getAttribute('origin') ?? undefined).useAutoResize()
  for (const [attribute, set] of Object.entries(SETTERS)) {
    const value = element.getAttribute(attribute)
    if (value !== null) set(widget, value)
  }
  return widget
}
