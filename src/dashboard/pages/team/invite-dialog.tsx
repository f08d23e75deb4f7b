import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { MadeInvitation } from '../../../contract/dashboard/people/team.ts'
import { Button } from '../../components/actions/button.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { emailFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { RoleChoice } from './role-choice.tsx'
import { teamTexts } from './texts.ts'

interface InviteDialogProps {
  invited: () => Promise<void>
  close: () => void
}

/** Makes an invitation, and shows its link once. */
export function InviteDialog({ invited, close }: InviteDialogProps): VNode {
  const { send } = useChange()
  const made = useSignal<{ link: string; email: string } | null>(null)
  const texts = teamTexts.invitations
  const form = useForm({
    initial: { email: '', role: 'developer' },
    check: ({ email }) => ({ email: emailFault(email) }),
    async send(body) {
      const path = '/api/team/invitations'
      const outcome = await send({ method: 'POST', path, body, answer: MadeInvitation })
      if (outcome.kind === 'failed') return outcome.failure
      made.value = { link: outcome.data.link, email: body.email }
      await invited()
      return null
    },
  })
  if (made.value !== null)
    return (
      <Dialog title={texts.made} close={close}>
        <p>{texts.send(made.value.email)}</p>
        <SecretOnce label={texts.link} secret={made.value.link} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={texts.dialog} close={close}>
      <Form form={form} submit={texts.submit} actions={<Button onClick={close}>{texts.cancel}</Button>}>
        <TextField form={form} name="email" label={texts.email} inputMode="email" />
        <RoleChoice form={form} label={teamTexts.role.label} />
      </Form>
    </Dialog>
  )
}
