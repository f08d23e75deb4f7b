import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { Button } from '../actions/button.tsx'
import { IconButton } from '../actions/icon-button.tsx'
import { Icon } from '../icon.tsx'
import { feedbackTexts } from './texts.ts'
import type { Toast } from './toasts.ts'
import './toast-region.css'

/** How long a toast stays that needs no answer. */
const SHOWN_MS = 7000

/**
 * Where toasts appear. It is there before them, so that screen readers announce each. An open dialog has a region of its own: what is
 * outside of it lies behind it, and can't be reached.
 */
export function ToastRegion(): VNode {
  const { toasts } = useApp()
  const region = useMemo(() => Symbol('toast region'), [])
  useLayoutEffect(() => toasts.addRegion(region), [])
  const isLast = toasts.regions.value.at(-1) === region
  return (
    <div class="toasts" role="status" aria-label={feedbackTexts.messages}>
      {isLast &&
        toasts.shown.value.map((toast) => (
          <ToastCard key={toast.id} toast={toast} dismiss={() => toasts.dismiss(toast.id)} />
        ))}
    </div>
  )
}

/** One toast. A bad one, and one that can be undone, stays until it is dismissed. */
function ToastCard({ toast, dismiss }: { toast: Toast; dismiss: () => void }): VNode {
  const { words, tone, undo } = toast
  useEffect(() => {
    if (tone === 'bad' || undo) return
    const timer = setTimeout(dismiss, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div class={`toast ${tone}`}>
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <p>{words}</p>
      {undo && (
        <Button
          tone="quiet"
          onClick={() => {
            dismiss()
            undo()
          }}
        >
          {feedbackTexts.undo}
        </Button>
      )}
      <IconButton icon="close" label={feedbackTexts.dismiss} onClick={dismiss} />
    </div>
  )
}
