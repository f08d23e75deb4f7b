import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { IconButton } from '../actions/icon-button.tsx'
import { ToastRegion } from '../feedback/toast-region.tsx'
import { dialogTexts } from './texts.ts'
import './dialog.css'

interface DialogProps {
  title: string
  /** Called when the person leaves it, by Esc or a button. */
  close: () => void
  isWide?: boolean
  children: ComponentChildren
}

/** What can have the focus first. Of radio buttons that is the chosen one, as the others are reached from it. */
const FIRST = 'input:not([type=radio]), input:checked, select, textarea, button, a[href]'

/**
 * A modal dialog that is open as long as it is rendered. Its first field has the focus, or its first button where it has none,
 * which in a question leaves all as it is. The page behind it can't be reached meanwhile; afterwards the focus is where it was.
 */
export function Dialog({ title, close, isWide = false, children }: DialogProps): VNode {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    content.current?.querySelector<HTMLElement>(FIRST)?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={dialogTexts.close} onClick={close} />
      </header>
      <div ref={content} class="dialog-content">
        {children}
      </div>
      <ToastRegion />
    </dialog>
  )
}
