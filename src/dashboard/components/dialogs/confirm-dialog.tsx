import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { inFull } from '../../api/failure.ts'
import type { Failure } from '../../api/failure.ts'
import { Button } from '../actions/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { useLateFailure } from '../feedback/use-late-failure.ts'
import { Dialog } from './dialog.tsx'
import { dialogTexts } from './texts.ts'

export interface ConfirmDialogProps {
  /** The question, such as "Revoke this key?". */
  title: string
  /** What happens, and whether it can be undone. */
  children: ComponentChildren
  /** The words of the button that does it, such as "Revoke key". */
  confirm: string
  tone?: 'primary' | 'danger'
  /** Does it; null when all went well, and the dialog closes. */
  act: () => Promise<Failure | null>
  close: () => void
}

/** Asks before something is done. A failure is shown in the dialog, which stays open. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  tone = 'danger',
  act,
  close,
}: ConfirmDialogProps): VNode {
  const isBusy = useSignal(false)
  const failure = useSignal<Failure | null>(null)
  const tellIfGone = useLateFailure()
  const confirmed = async () => {
    isBusy.value = true
    failure.value = await act()
    isBusy.value = false
    if (failure.value === null) close()
    else tellIfGone(failure.value)
  }
  return (
    <Dialog title={title} close={close}>
      <div class="dialog-words">{children}</div>
      {failure.value && <Notice tone="bad">{inFull(failure.value)}</Notice>}
      <div class="dialog-actions">
        <Button onClick={close}>{dialogTexts.cancel}</Button>
        <Button tone={tone} isBusy={isBusy.value} onClick={() => void confirmed()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
