import type { VNode } from 'preact'
import { ConfirmedView } from '../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../app-context.ts'
import { Button } from '../components/actions/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { requiredFault } from '../components/form/checks.ts'
import { Form } from '../components/form/form.tsx'
import { PasswordField } from '../components/form/password-field.tsx'
import { useForm } from '../components/form/use-form.ts'
import { sessionTexts } from './texts.ts'

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
    <Dialog title={sessionTexts.confirm.title} close={cancel}>
      <p class="soft">{sessionTexts.confirm.explanation}</p>
      <Form
        form={form}
        submit={sessionTexts.confirm.submit}
        actions={<Button onClick={cancel}>{sessionTexts.confirm.cancel}</Button>}
      >
        <PasswordField form={form} name="password" label={sessionTexts.confirm.password} />
      </Form>
    </Dialog>
  )
}
