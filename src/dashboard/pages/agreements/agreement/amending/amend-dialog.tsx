import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Dialog } from '../../../../components/dialogs/dialog.tsx'
import { agreementActTexts } from '../act-texts.ts'
import { AmendTermsForm } from './amend-terms-form.tsx'
import { AmendTextsForm } from './amend-texts-form.tsx'
import type { AmendProps } from '../use-agreement-acts.ts'
import './amend-dialog.css'

const texts = agreementActTexts.amend

const PARTS = ['texts', 'terms'] as const

/** Changes the texts of an agreement at once, or asks its payer for other terms. */
export function AmendDialog(props: AmendProps): VNode {
  const { status, pending_amendment: pending } = props.agreement
  const part = useSignal<(typeof PARTS)[number]>('texts')
  const isAskable = status === 'active' && pending === null
  return (
    <Dialog title={texts.title} close={props.close} isWide>
      {isAskable && (
        <div class="amend-parts" role="group" aria-label={texts.parts}>
          {PARTS.map((name) => (
            <button
              key={name}
              type="button"
              class="button"
              aria-pressed={part.value === name}
              onClick={() => (part.value = name)}
            >
              {texts[name]}
            </button>
          ))}
        </div>
      )}
      {part.value === 'texts' ? <AmendTextsForm {...props} /> : <AmendTermsForm {...props} />}
    </Dialog>
  )
}
