import type { VNode } from 'preact'
import { CopyButton } from './copy-button.tsx'
import './id-text.css'

interface IdTextProps {
  id: string
  /** What it is the id of, such as "charge id". */
  label: string
}

/** An id among other facts, which can be copied. */
export function IdText({ id, label }: IdTextProps): VNode {
  return (
    <span class="id-text">
      <code>{id}</code>
      <CopyButton text={id} label={label} isSmall />
    </span>
  )
}
