import { reportInConsole } from '../iframe-host/report-in-console.ts'
import { HtmlWidget } from '../html-widget.ts'
import { applyLook, lookOf } from './component-props.ts'
import type { CardWidgetProps } from './component-props.ts'

/** A ref object of React. */
export interface Box<Value> {
  current: Value
}

/** The hooks that a component uses, of any version of React that has them. */
export interface Hooks {
  useEffect: (effect: () => (() => void) | undefined, dependencies: readonly unknown[]) => void
  useRef: <Value>(initial: Value) => Box<Value>
}

/**
 * Shows the widget in the element of the ref that it returns, for as long as the component is there. `hand` is given each new
 * widget, and null when it is gone.
 */
export function useCardWidget(
  { useEffect, useRef }: Hooks,
  props: CardWidgetProps,
  hand: (widget: HtmlWidget | null) => void,
): Box<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement | null>(null)
  const created = useRef<HtmlWidget | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const { publicKey, gatewayId, environment, origin, refId } = props

  useEffect(() => {
    if (!container.current) return undefined
    let isGone = false
    const widget = new HtmlWidget(container.current, publicKey, gatewayId)
    widget.setEnv(environment ?? 'sandbox', origin).useAutoResize()
    created.current = addListeners(widget, latest)
    applySettings(widget, latest.current)
    latest.current.prepare?.(widget)
    hand(widget)
    // StrictMode runs this effect twice in one task. Loading later lets the widget that stays adopt the iframe of the page's markup.
    queueMicrotask(() => {
      if (container.current !== null && !isGone) void widget.load()
    })
    return () => {
      isGone = true
      hand(null)
      widget.destroy()
    }
  }, [publicKey, gatewayId, environment, origin])

  useEffect(() => {
    if (created.current) applySettings(created.current, latest.current)
    return undefined
  }, [refId, ...lookOf(props)])

  return container
}

function applySettings(widget: HtmlWidget, props: CardWidgetProps): void {
  applyLook(widget, props)
  if (props.refId !== undefined) widget.setRefId(props.refId)
}

/** Looks up each callback when its event comes, so a new callback needs no new widget. */
function addListeners(widget: HtmlWidget, props: Box<CardWidgetProps>): HtmlWidget {
  widget
    .on('afterLoad', (event) => props.current.onAfterLoad?.(event))
    .on('submit', (event) => props.current.onSubmit?.(event))
    .on('finish', (event) => props.current.onFinish?.(event))
    .on('validationError', (event) => props.current.onValidationError?.(event))
    .on('metaChange', (event) => props.current.onMetaChange?.(event))
    .on('resize', (event) => props.current.onResize?.(event))
    .on('validation', (event) => props.current.onValidation?.(event))
    .on('focus', (event) => props.current.onFocus?.(event))
    .on('blur', (event) => props.current.onBlur?.(event))
    .on('systemError', (event) => {
      if (props.current.onSystemError) props.current.onSystemError(event)
      else reportInConsole(event.error)
    })
  return widget
}

/** The part of React that the component uses. The page passes in its own React, of any version with hooks. */
export interface ReactLike<Node> extends Hooks {
  createElement: (
    type: 'div',
    props: { ref: Box<HTMLDivElement | null>; className: string | undefined },
  ) => Node
}

/** `const CardWidget = createCardWidget(React)`: the widget as a component, for what is like React, such as Preact. */
export function createCardWidget<Node>(react: ReactLike<Node>): (props: CardWidgetProps) => Node {
  return function CardWidget(props) {
    const ref = useCardWidget(react, props, () => undefined)
    return react.createElement('div', { ref, className: props.className })
  }
}
