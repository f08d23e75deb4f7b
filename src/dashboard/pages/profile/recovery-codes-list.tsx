import type { VNode } from 'preact'
import { Button } from '../../components/actions/button.tsx'
import { CopyButton } from '../../components/data/copy-button.tsx'
import { profileTexts } from './texts.ts'

interface RecoveryCodesListProps {
  codes: readonly string[]
  close: () => void
}

/** New recovery codes, in a dialog: they are shown this once. */
export function RecoveryCodesList({ codes, close }: RecoveryCodesListProps): VNode {
  const texts = profileTexts.codes
  return (
    <>
      <p>{texts.words}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="dialog-actions">
        <CopyButton text={codes.join('\n')} label={texts.label} />
        <Button tone="primary" onClick={close}>
          {texts.done}
        </Button>
      </div>
    </>
  )
}
