import type { VNode } from 'preact'
import { Notice } from '../feedback/notice.tsx'
import { Copyable } from './copyable.tsx'
import { dataTexts } from './texts.ts'
import './secret-once.css'

interface SecretOnceProps {
  /** What it is, such as "Secret key". */
  label: string
  secret: string
}

/** A secret that is shown this one time. Keep it in the component's state alone, so that it is gone with it. */
export function SecretOnce({ label, secret }: SecretOnceProps): VNode {
  return (
    <div class="secret-once">
      <p class="secret-label">{label}</p>
      <Copyable label={label} text={secret} />
      <Notice tone="warning">{dataTexts.once}</Notice>
    </div>
  )
}
