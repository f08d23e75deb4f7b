import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { TotpSetup, RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useDelete } from '../../loading/use-delete.ts'
import { useView } from '../../session/use-view.ts'
import { profileTexts } from './texts.ts'
import { Copyable } from '../../components/data/copyable.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { encode } from 'uqr'
import { RecoveryCodesList } from './recovery-codes-list.tsx'

/** Sets up or removes the authenticator app. */
export function TotpSection(): VNode {
  const { session, toasts } = useApp()
  const { user } = useView()
  const { send, isSending } = useChange()
  const deleteOne = useDelete()
  const setup = useSignal<TotpSetup | null>(null)
  const isRemoving = useSignal(false)
  const texts = profileTexts.totp
  const begin = async () => {
    const outcome = await send({ method: 'POST', path: '/api/user/totp', body: {}, answer: TotpSetup })
    if (outcome.kind === 'done') setup.value = outcome.data
    else toasts.show(outcome.failure.words, { tone: 'bad' })
  }
  const remove = () => deleteOne({ path: '/api/user/totp', refresh: session.refresh, done: texts.removed })
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <div class="setting">
        {user.has_totp ? <Badge tone="good">{texts.on}</Badge> : <Badge tone="calm">{texts.off}</Badge>}
        {user.has_totp ? (
          <Button onClick={() => (isRemoving.value = true)}>{texts.remove}</Button>
        ) : (
          <Button isBusy={isSending.value} onClick={() => void begin()}>
            {texts.add}
          </Button>
        )}
      </div>
      {setup.value && <TotpDialog setup={setup.value} close={() => (setup.value = null)} />}
      {isRemoving.value && (
        <ConfirmDialog
          title={texts.removeTitle}
          confirm={texts.remove}
          act={remove}
          close={() => (isRemoving.value = false)}
        >
          {texts.removeWords}
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface TotpDialogProps {
  setup: TotpSetup
  close: () => void
}

/** The secret as a QR code and as text, the first code from the app, then the recovery codes. */
function TotpDialog({ setup, close }: TotpDialogProps): VNode {
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

interface QrCodeProps {
  text: string
  /** What it shows, for screen readers. */
  label: string
}

/** A QR code. Dark on light also in the dark scheme: many cameras read no other. */
function QrCode({ text, label }: QrCodeProps): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
