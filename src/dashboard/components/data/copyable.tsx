import type { VNode } from 'preact'
import { CopyButton } from './copy-button.tsx'
import './copyable.css'

interface CopyableProps {
  /** What it is, such as "Public key". */
  label: string
  text: string
  /** The same as it is shown, where that is easier to read. */
  shown?: string
}

/** A key, link or other text to be copied as it is. */
export function Copyable({ label, text, shown = text }: CopyableProps): VNode {
  return (
    <div class="copyable">
      <code>{shown}</code>
      <CopyButton text={text} label={label} isSmall />
    </div>
  )
}
