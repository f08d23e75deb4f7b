import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useView } from '../../session/use-view.ts'
import { RecoveryCodesList } from './recovery-codes-list.tsx'
import { profileTexts } from './texts.ts'

/** Fewer than this are soon used up. */
const FEW_CODES = 3

/** How many recovery codes are left, and new ones. */
export function RecoveryCodesSection(): VNode {
  const { session } = useApp()
  const { user } = useView()
  const { send } = useChange()
  const isAsking = useSignal(false)
  const codes = useSignal<readonly string[] | null>(null)
  const texts = profileTexts.codes
  const renew = async () => {
    const path = '/api/user/recovery_codes'
    const outcome = await send({ method: 'POST', path, body: {}, answer: RecoveryCodes })
    if (outcome.kind === 'failed') return outcome.failure
    codes.value = outcome.data.recovery_codes
    await session.refresh()
    return null
  }
  const left = user.recovery_codes_left
  const hasFactor = user.has_totp || user.passkeys > 0
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      {hasFactor ? (
        <div class="setting">
          <Badge tone={left < FEW_CODES ? 'wait' : 'good'}>
            {left === 0 ? texts.none : texts.left(left)}
          </Badge>
          <Button onClick={() => (isAsking.value = true)}>{texts.renew}</Button>
        </div>
      ) : (
        <p class="soft">{texts.needsFactor}</p>
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={texts.renewTitle}
          confirm={texts.renew}
          tone="primary"
          act={renew}
          close={() => (isAsking.value = false)}
        >
          {texts.renewWords}
        </ConfirmDialog>
      )}
      {codes.value && (
        <Dialog title={texts.dialog} close={() => (codes.value = null)}>
          <RecoveryCodesList codes={codes.value} close={() => (codes.value = null)} />
        </Dialog>
      )}
    </Section>
  )
}
