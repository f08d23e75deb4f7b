import { createElement, forwardRef, useEffect, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import type { HtmlWidget } from '../html-widget.ts'
import type { CardWidgetProps } from './component-props.ts'
import { handToRef } from './hand-to-ref.ts'
import { useCardWidget } from './create-card-widget.ts'
import { cardFrame, useFirstFrame } from './early-frame.ts'

/** The card form as a component. Its ref is the `HtmlWidget`, while the form is there: `ref.current?.submit()`. */
export const CardWidget: ForwardRefExoticComponent<CardWidgetProps & RefAttributes<HtmlWidget>> = forwardRef(
  function CardWidget(props, ref) {
    const container = useCardWidget({ useEffect, useRef }, props, (widget) => handToRef(ref, widget))
    const frame = useFirstFrame({ useRef }, () => cardFrame(props))
    return createElement('div', { ref: container, className: props.className }, frame)
  },
)
