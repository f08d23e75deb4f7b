import type { VNode } from 'preact'
import { ConfirmedView } from '../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../app-context.ts'
import { Button } from '../components/actions/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { requiredFault } from '../components/form/checks.ts'
import { Form } from '../components/form/form.tsx'
import { PasswordField } from '../components/form/password-field.tsx'
import { useForm } from '../components/form/use-form.ts'

const texts = {
  title: 'Confirm your password',
  explanation:
    'This act concerns keys or access, so we ask for your password. It is not asked for again for ten minutes.',
  password: 'Password',
  submit: 'Confirm',
  cancel: 'Cancel',
} as const

/** Asks for the password while `passwordQuestion` is open. */
export function PasswordDialog(): VNode | null {
  return useApp().passwordQuestion.isOpen.value ? <PasswordForm /> : null
}

function PasswordForm(): VNode {
  const { api, passwordQuestion } = useApp()
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: requiredFault(password) }),
    async send({ password }) {
      const outcome = await api.change({
        method: 'POST',
        path: '/api/session/confirm',
        body: { password },
        answer: ConfirmedView,
      })
      if (outcome.kind === 'failed') return outcome.failure
      passwordQuestion.close(true)
      return null
    },
  })
  const cancel = () => passwordQuestion.close(false)
  return (
    <Dialog title={texts.title} close={cancel}>
      <p class="soft">{texts.explanation}</p>
      <Form form={form} submit={texts.submit} actions={<Button onClick={cancel}>{texts.cancel}</Button>}>
        <PasswordField form={form} name="password" label={texts.password} />
      </Form>
    </Dialog>
  )
}
