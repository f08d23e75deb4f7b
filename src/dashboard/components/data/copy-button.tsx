import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { Icon } from '../icon.tsx'
import { dataTexts } from './texts.ts'
import '../actions/button.css'

interface CopyButtonProps {
  text: string
  /** What is copied, for screen readers, such as "public key". */
  label: string
  /** Shows the icon alone. */
  isSmall?: boolean
}

/** Copies a text and says so. */
export function CopyButton({ text, label, isSmall = false }: CopyButtonProps): VNode {
  const { browser, toasts } = useApp()
  const isCopied = useSignal(false)
  const copy = async () => {
    try {
      await browser.copy(text)
      isCopied.value = true
    } catch {
      toasts.show(dataTexts.notCopied, { tone: 'bad' })
    }
  }
  const words = isCopied.value ? dataTexts.copied : dataTexts.copy
  return (
    <button
      type="button"
      class={isSmall ? 'button quiet icon-only' : 'button'}
      aria-label={`${dataTexts.copy} ${label}`}
      title={words}
      onClick={() => void copy()}
      onBlur={() => (isCopied.value = false)}
    >
      <Icon name={isCopied.value ? 'check' : 'copy'} />
      {!isSmall && <span>{words}</span>}
      <span class="unseen" role="status">
        {isCopied.value && dataTexts.copied}
      </span>
    </button>
  )
}
