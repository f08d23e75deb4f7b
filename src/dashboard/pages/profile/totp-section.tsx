import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { TotpSetup } from '../../../contract/dashboard/people/user-settings.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useDelete } from '../../loading/use-delete.ts'
import { useView } from '../../session/use-view.ts'
import { profileTexts } from './texts.ts'
import { TotpDialog } from './totp-dialog.tsx'

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
