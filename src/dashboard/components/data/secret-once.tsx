import type { VNode } from 'preact'
import { Notice } from '../feedback/notice.tsx'
import { CopyButton } from './copy-button.tsx'
import { dataTexts } from './texts.ts'
import './code-block.css'

interface SecretOnceProps {
  /** What it is, such as "Secret key". */
  label: string
  secret: string
}

/** A secret that is shown this one time. Keep it in the component's state alone, so that it is gone with it. */
export function SecretOnce({ label, secret }: SecretOnceProps): VNode {
  return (
    <div class="secret-once">
      <Notice tone="warning">{dataTexts.once}</Notice>
      <p class="code-title">{label}</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} label={label} />
      </div>
    </div>
  )
}
