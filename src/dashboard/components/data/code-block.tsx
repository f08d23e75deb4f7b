import type { VNode } from 'preact'
import { CopyButton } from './copy-button.tsx'
import './code-block.css'

interface CodeBlockProps {
  /** What it is, such as "Script tag". */
  label: string
  code: string
}

/** Lines to be copied into a program or a configuration. */
export function CodeBlock({ label, code }: CodeBlockProps): VNode {
  return (
    <figure class="code-block">
      <figcaption>
        <span class="code-title">{label}</span>
        <CopyButton text={code} label={label} isSmall />
      </figcaption>
      <pre tabIndex={0} aria-label={label} role="region">
        <code>{code}</code>
      </pre>
    </figure>
  )
}
