import type { VNode } from 'preact'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { emailFault, requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { SignedOutShell } from '../../shell/signed-out-shell.tsx'
import { signInTexts } from './texts.ts'
import { usePasskey } from './use-passkey.ts'

/** The first step: e-mail address and password, or a passkey in the place of both. */
export function PasswordStep({ done }: { done: (state: SignInState) => Promise<void> }): VNode {
  const { api, browser } = useApp()
  const passkey = usePasskey(done)
  const form = useForm({
    initial: { email: '', password: '' },
    check: ({ email, password }) => ({ email: emailFault(email), password: requiredFault(password) }),
    async send(body) {
      const outcome = await api.change({ method: 'POST', path: '/api/session', body, answer: SignInState })
      if (outcome.kind === 'failed') return outcome.failure
      await done(outcome.data)
      return null
    },
  })
  return (
    <SignedOutShell title={signInTexts.title} footer={signInTexts.help}>
      <Form form={form} submit={signInTexts.submit}>
        <TextField
          form={form}
          name="email"
          label={signInTexts.email}
          inputMode="email"
          autocomplete="username"
          hasFocus
        />
        <PasswordField form={form} name="password" label={signInTexts.password} />
      </Form>
      {browser.passkeys.isSupported && (
        <>
          <p class="or">{signInTexts.or}</p>
          {passkey.alert.value !== '' && <Notice tone="bad">{passkey.alert.value}</Notice>}
          <Button icon="key" isBusy={passkey.isBusy.value} onClick={() => void passkey.start()}>
            {signInTexts.passkey}
          </Button>
        </>
      )}
    </SignedOutShell>
  )
}
