import { createElement, forwardRef, useEffect, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import type { HtmlWidget } from '../html-widget.ts'
import type { CardWidgetProps } from './component-props.ts'
import { handToRef } from './hand-to-ref.ts'
import { useCardWidget } from './create-card-widget.ts'
import { cardFrameHtml, useFirstHtml } from './early-html.ts'

/** The card form as a component. Its ref is the `HtmlWidget`, while the form is there: `ref.current?.submit()`. */
export const CardWidget: ForwardRefExoticComponent<CardWidgetProps & RefAttributes<HtmlWidget>> = forwardRef(
  function CardWidget(props, ref) {
    const container = useCardWidget({ useEffect, useRef }, props, (widget) => handToRef(ref, widget))
    const { publicKey, gatewayId, environment, origin, className } = props
    const form = [publicKey, gatewayId, environment, origin]
    const html = useFirstHtml({ useRef }, form, () => cardFrameHtml(props))
    return createElement('div', {
      ref: container,
      className,
      ...(html !== '' && { dangerouslySetInnerHTML: { __html: html } }),
    })
  },
)
