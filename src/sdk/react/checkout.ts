import { createElement, forwardRef, useEffect, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { Checkout as FramedCheckout } from '../checkout.ts'
import { reportInConsole } from '../iframe-host/report-in-console.ts'
import { applyLook, lookOf } from './component-props.ts'
import type { CheckoutProps } from './component-props.ts'
import { checkoutFrame, useFirstFrame } from './early-frame.ts'
import { handToRef } from './hand-to-ref.ts'

/** The whole checkout as a component. Its ref is the SDK's `Checkout`, while that is there. */
export const Checkout: ForwardRefExoticComponent<CheckoutProps & RefAttributes<FramedCheckout>> = forwardRef(
  function Checkout(props, ref) {
    const container = useRef<HTMLDivElement>(null)
    const created = useRef<FramedCheckout>(null)
    const latest = useRef(props)
    latest.current = props
    const { token, environment, origin, className, returnUrl } = props

    useEffect(() => {
      if (container.current === null || token === null || token === undefined) return undefined
      const checkout = new FramedCheckout(container.current, token)
        .setEnv(environment ?? 'sandbox', origin)
        .onPaymentSuccessful((payment) => latest.current.onPaymentSuccessful?.(payment))
        .onPaymentExpired(() => latest.current.onPaymentExpired?.())
        .onPaymentFailure((failure) => {
          if (latest.current.onPaymentFailure) latest.current.onPaymentFailure(failure)
          else reportInConsole(failure)
        })
      created.current = checkout
      applyLook(checkout, latest.current)
      applyReturnUrl(checkout, latest.current)
      handToRef(ref, checkout)
      return () => {
        handToRef(ref, null)
        created.current = null
        checkout.destroy()
      }
    }, [token, environment, origin])

    useEffect(() => {
      if (created.current) applyLook(created.current, latest.current)
    }, lookOf(props))

    useEffect(() => {
      if (created.current) applyReturnUrl(created.current, latest.current)
    }, [returnUrl])

    const frame = useFirstFrame({ useRef }, () => checkoutFrame(props))
    return createElement('div', { ref: container, className }, frame)
  },
)

function applyReturnUrl(checkout: FramedCheckout, { returnUrl }: CheckoutProps): void {
  if (returnUrl !== undefined) checkout.setReturnUrl(returnUrl)
}
