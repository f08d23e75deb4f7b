import { useLayoutEffect, useRef } from 'preact/hooks'
import { inFull } from '../../api/failure.ts'
import type { Failure } from '../../api/failure.ts'
import { useApp } from '../../app-context.ts'

/**
 * For a component that does something and shows the failure itself. Once the component is gone, as when its dialog was closed while the
 * request was under way, the returned function tells the failure in a toast instead; else nobody would know of it.
 */
export function useLateFailure(): (failure: Failure) => void {
  const { toasts } = useApp()
  const isGone = useRef(false)
  useLayoutEffect(() => () => void (isGone.current = true), [])
  return (failure) => {
    if (isGone.current) toasts.show(inFull(failure), { tone: 'bad' })
  }
}
