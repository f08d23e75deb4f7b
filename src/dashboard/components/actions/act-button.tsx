import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { Button } from './button.tsx'

interface ActButtonProps {
  /** Does something; never rejects. */
  act: () => Promise<unknown>
  children: ComponentChildren
}

/** A button that is busy until its act is done, so that a second click does not start it again. */
export function ActButton({ act, children }: ActButtonProps): VNode {
  const isBusy = useSignal(false)
  const start = async () => {
    isBusy.value = true
    await act()
    isBusy.value = false
  }
  return (
    <Button isBusy={isBusy.value} onClick={() => void start()}>
      {children}
    </Button>
  )
}
