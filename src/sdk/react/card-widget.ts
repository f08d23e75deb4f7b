import type { Styles, Texts, Theme } from '../../contract/page/widget-appearance.ts'
import type { EventName, EventOf } from '../../contract/page/widget-event.ts'
import type { EnvironmentName } from '../frame/environment.ts'
import { HtmlWidget } from '../html-widget.ts'

interface Ref<Value> {
  current: Value
}

/** The part of React that the component uses. The page passes in its own React, of any version with hooks. */
export interface ReactLike<Node> {
  createElement: (type: 'div', props: { ref: Ref<HTMLDivElement | null> }) => Node
  useEffect: (effect: () => (() => void) | undefined, dependencies: readonly unknown[]) => void
  useRef: <Value>(initial: Value) => Ref<Value>
}

type EventProps = { [Name in EventName as `on${Capitalize<Name>}`]?: (event: EventOf<Name>) => void }

/** Properties of the component. A change of the first four creates a new widget; the others change the form at once. */
export interface CardWidgetProps extends EventProps {
  publicKey: string
  gatewayId?: string
  environment?: EnvironmentName
  origin?: string
  language?: string
  theme?: Theme
  texts?: Texts
  styles?: Styles
  refId?: string
  /** Called once with each new widget before it loads, to use any of its methods. */
  prepare?: (widget: HtmlWidget) => void
}

/** `const CardWidget = createCardWidget(React)`: the widget as a component. */
export function createCardWidget<Node>(react: ReactLike<Node>): (props: CardWidgetProps) => Node {
  return function CardWidget(props) {
    const container = react.useRef<HTMLDivElement | null>(null)
    const created = react.useRef<HtmlWidget | undefined>(undefined)
    const latest = react.useRef(props)
    latest.current = props
    const { publicKey, gatewayId, environment, origin } = props

    react.useEffect(() => {
      if (!container.current) return undefined
      const widget = new HtmlWidget(container.current, publicKey, gatewayId)
      widget.setEnv(environment ?? 'sandbox', origin).useAutoResize()
      created.current = addListeners(widget, latest)
      applySettings(widget, latest.current)
      latest.current.prepare?.(widget)
      void widget.load()
      return () => widget.destroy()
    }, [publicKey, gatewayId, environment, origin])

    const { language, theme, refId, texts, styles } = props
    react.useEffect(() => {
      if (created.current) applySettings(created.current, latest.current)
      return undefined
    }, [language, theme, refId, JSON.stringify(texts), JSON.stringify(styles)])

    return react.createElement('div', { ref: container })
  }
}

function applySettings(widget: HtmlWidget, { language, theme, texts, styles, refId }: CardWidgetProps): void {
  if (language !== undefined) widget.setLanguage(language)
  if (theme !== undefined) widget.setTheme(theme)
  if (refId !== undefined) widget.setRefId(refId)
  if (texts) widget.setTexts(texts)
  if (styles) widget.setStyles(styles)
}

/** Looks up each callback when its event comes, so a new callback needs no new widget. */
function addListeners(widget: HtmlWidget, props: Ref<CardWidgetProps>): HtmlWidget {
  return widget
    .on('afterLoad', (event) => props.current.onAfterLoad?.(event))
    .on('submit', (event) => props.current.onSubmit?.(event))
    .on('finish', (event) => props.current.onFinish?.(event))
    .on('validationError', (event) => props.current.onValidationError?.(event))
    .on('systemError', (event) => props.current.onSystemError?.(event))
    .on('metaChange', (event) => props.current.onMetaChange?.(event))
    .on('resize', (event) => props.current.onResize?.(event))
    .on('validation', (event) => props.current.onValidation?.(event))
    .on('focus', (event) => props.current.onFocus?.(event))
    .on('blur', (event) => props.current.onBlur?.(event))
}
