import { LAYOUTS, THEMES } from '../../contract/page/widget-appearance.ts'
import type { Layout, Theme } from '../../contract/page/widget-appearance.ts'
import { EVENT_NAMES } from '../../contract/page/widget-event.ts'
import type { EventName, EventOf } from '../../contract/page/widget-event.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import { HtmlWidget } from '../html-widget.ts'
import { knownNames } from '../settings/merchant-input.ts'
import { defineElement, telling } from './define-element.ts'

/** Adds a listener: of the widget's events it gets a `CustomEvent`, which Angular's strict templates ask for. */
interface AddListener {
  <Name extends EventName>(
    type: Name,
    listener: (event: CustomEvent<EventOf<Name>>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  <Name extends Exclude<keyof HTMLElementEventMap, EventName>>(
    type: Name,
    listener: (event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

/** `<svc-card-widget>`: each event of the widget is a `CustomEvent` of that name, with the event as `detail`. */
export interface CardWidgetElement extends HTMLElement {
  /** The widget, while the element is in a page. Settings made at once apply to the first load. */
  readonly widget: HtmlWidget | undefined
  addEventListener: AddListener
}

/** The attributes of `<svc-card-widget>`, as JSX and templates take them. */
export interface CardWidgetAttributes {
  'public-key': string
  'gateway-id'?: string | undefined
  environment?: EnvironmentName | undefined
  origin?: string | undefined
  language?: string | undefined
  'ref-id'?: string | undefined
  theme?: Theme | undefined
  layout?: Layout | undefined
  /** `off`: the focus does not go on by itself from a card field that is complete. */
  'auto-advance'?: 'on' | 'off' | undefined
}

/** Attributes that can change while the form is shown. */
const SETTERS: Record<string, (widget: HtmlWidget, value: string) => unknown> = {
  language: (widget, value) => widget.setLanguage(value),
  'ref-id': (widget, value) => widget.setRefId(value),
  theme: (widget, value) => knownNames('themes', THEMES, [value]).map((theme) => widget.setTheme(theme)),
  layout: (widget, value) =>
    knownNames('layouts', LAYOUTS, [value]).map((layout) => widget.setLayout(layout)),
  'auto-advance': (widget, value) => widget.setAutoAdvance(!/^(off|false)$/.test(value)),
}

/** Defines the custom element. Does nothing on a server or if the name is already defined. */
export function defineCardWidget(name = 'svc-card-widget'): void {
  defineElement<HtmlWidget>(name, {
    property: 'widget',
    attributes: ['public-key', 'gateway-id'],
    setters: SETTERS,
    create: (element) => {
      const key = element.getAttribute('public-key') ?? ''
      const widget = new HtmlWidget(element, key, element.getAttribute('gateway-id') ?? undefined)
      for (const event of EVENT_NAMES) widget.on(event, telling(element, event))
      return widget.useAutoResize()
    },
  })
}
