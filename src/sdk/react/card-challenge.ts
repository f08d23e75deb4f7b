import { createElement, forwardRef, useEffect, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { Canvas3ds } from '../canvas-3ds.ts'
import type { Authentication3ds, Canvas3dsEventOf } from '../canvas-3ds.ts'
import type { EnvironmentName } from '../iframe-host/environment.ts'
import { reportInConsole } from '../iframe-host/report-in-console.ts'
import { handToRef } from './hand-to-ref.ts'

/** Properties of `<CardChallenge>`. Another authentication makes a new step. */
export interface CardChallengeProps {
  /** The `_3ds` of the charge that your server has made; nothing is shown until it is there. */
  authentication: Authentication3ds | null | undefined
  environment?: EnvironmentName | undefined
  /** Of the service, such as `https://cards.example`; a bundled SDK can't know it. */
  origin?: string | undefined
  language?: string | undefined
  /** Of the element around the step. */
  className?: string | undefined
  onSuccess?: ((event: Canvas3dsEventOf<'chargeAuthSuccess'>) => unknown) | undefined
  onReject?: ((event: Canvas3dsEventOf<'chargeAuthReject'>) => unknown) | undefined
  onCancelled?: ((event: Canvas3dsEventOf<'chargeAuthCancelled'>) => unknown) | undefined
  onInfo?: ((event: Canvas3dsEventOf<'chargeAuthInfo'>) => unknown) | undefined
  onError?: ((event: Canvas3dsEventOf<'error'>) => unknown) | undefined
}

/** What a card holder's bank asks, as a component. Its ref is the SDK's `Canvas3ds`, while that is there. */
export const CardChallenge: ForwardRefExoticComponent<CardChallengeProps & RefAttributes<Canvas3ds>> =
  forwardRef(function CardChallenge(props, ref) {
    const container = useRef<HTMLDivElement>(null)
    const created = useRef<Canvas3ds>(null)
    const latest = useRef(props)
    latest.current = props
    const { authentication, environment, origin, language, className } = props
    const { id, token } = authentication ?? {}

    useEffect(() => {
      if (container.current === null || id === undefined || token === undefined) return undefined
      let isGone = false
      const canvas = new Canvas3ds(container.current, { id, token })
        .setEnv(environment ?? 'sandbox', origin)
        .on('chargeAuthSuccess', (event) => latest.current.onSuccess?.(event))
        .on('chargeAuthReject', (event) => latest.current.onReject?.(event))
        .on('chargeAuthCancelled', (event) => latest.current.onCancelled?.(event))
        .on('chargeAuthInfo', (event) => latest.current.onInfo?.(event))
        .on('error', (event) => {
          if (latest.current.onError) latest.current.onError(event)
          else reportInConsole(event.error)
        })
      created.current = canvas
      if (latest.current.language !== undefined) canvas.setLanguage(latest.current.language)
      handToRef(ref, canvas)
      // StrictMode runs this effect twice in one task: only the step that stays is asked for.
      queueMicrotask(() => {
        if (!isGone) void canvas.load()
      })
      return () => {
        isGone = true
        handToRef(ref, null)
        created.current = null
        canvas.destroy()
      }
    }, [id, token, environment, origin])

    useEffect(() => {
      if (language !== undefined) created.current?.setLanguage(language)
    }, [language])

    return createElement('div', { ref: container, className })
  })
