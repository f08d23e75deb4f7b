import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { Button } from '../../../components/actions/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { agreementActTexts } from './act-texts.ts'
import { AmendDialog } from './amending/amend-dialog.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { useAgreementActs } from './use-agreement-acts.ts'

interface AgreementActionsProps {
  agreement: AgreementResource
  /** Of the agreement as it is shown. */
  etag: string | null
  /** Called after each request. */
  changed: () => void
}

type Act = 'pay' | 'amend' | 'suspend' | 'release' | 'cancel'

/** What can be done with an agreement as it stands, each behind a dialog that says what will happen. */
export function AgreementActions({ agreement, etag, changed }: AgreementActionsProps): VNode {
  const acts = useAgreementActs({ agreement, etag, changed })
  const open = useSignal<Act | null>(null)
  const close = () => (open.value = null)
  const dialog = { agreement, acts, close }
  return (
    <>
      {actsOf(agreement).map((act) => (
        <Button key={act} tone={act === 'pay' ? 'primary' : 'plain'} onClick={() => (open.value = act)}>
          {agreementActTexts[act].button}
        </Button>
      ))}
      {open.value === 'pay' && <PaymentDialog {...dialog} />}
      {open.value === 'amend' && <AmendDialog {...dialog} />}
      {(open.value === 'suspend' || open.value === 'cancel') && (
        <StatusDialog {...dialog} action={open.value} />
      )}
      {open.value === 'release' && (
        <ConfirmDialog
          title={agreementActTexts.release.title}
          confirm={agreementActTexts.release.button}
          tone="primary"
          act={() => acts.changeStatus({ action: 'release' }, agreementActTexts.release.done)}
          close={close}
        >
          <p>{agreementActTexts.release.words}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What an agreement allows its creditor (contract §6.4); what the debtor has suspended, it releases itself. */
function actsOf({ status, suspended_by }: AgreementResource): readonly Act[] {
  switch (status) {
    case 'created':
      return ['cancel', 'amend']
    case 'active':
      return ['cancel', 'suspend', 'amend', 'pay']
    case 'suspended':
      return suspended_by === 'creditor' ? ['cancel', 'amend', 'release'] : ['cancel', 'amend']
    case 'cancelled':
    case 'expired':
      return []
  }
}
