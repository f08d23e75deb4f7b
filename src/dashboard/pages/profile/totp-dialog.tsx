import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import type { TotpSetup } from '../../../contract/dashboard/people/user-settings.ts'
import { useApp } from '../../app-context.ts'
import { Copyable } from '../../components/data/copyable.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodesList } from './recovery-codes-list.tsx'
import { profileTexts } from './texts.ts'

interface TotpDialogProps {
  setup: TotpSetup
  close: () => void
}

/** The secret as a QR code and as text, the first code from the app, then the recovery codes. */
export function TotpDialog({ setup, close }: TotpDialogProps): VNode {
  const { session, toasts } = useApp()
  const { send } = useChange()
  const codes = useSignal<readonly string[] | null>(null)
  const texts = profileTexts.totp
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: requiredFault(code) }),
    async send(body) {
      const path = '/api/user/totp/confirm'
      const outcome = await send({ method: 'POST', path, body, answer: RecoveryCodes })
      if (outcome.kind === 'failed') return outcome.failure
      codes.value = outcome.data.recovery_codes
      toasts.show(texts.added)
      await session.refresh()
      return null
    },
  })
  if (codes.value !== null)
    return (
      <Dialog title={profileTexts.codes.dialog} close={close}>
        <RecoveryCodesList codes={codes.value} close={close} />
      </Dialog>
    )
  return (
    <Dialog title={texts.dialog} close={close}>
      <p>{texts.scan}</p>
      <QrCode text={setup.uri} label={texts.picture} />
      <Copyable
        label={texts.secret}
        text={setup.secret}
        shown={setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}
      />
      <Form form={form} submit={texts.confirm}>
        <TextField
          form={form}
          name="code"
          label={texts.code}
          inputMode="numeric"
          autocomplete="one-time-code"
          isCode
        />
      </Form>
    </Dialog>
  )
}
