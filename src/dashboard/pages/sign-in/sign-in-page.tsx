import { useSignal, useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
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
import { SecondFactorStep } from './second-factor-step.tsx'
import { safeReturn } from '../../router/router.ts'

/** The sign-in, step by step; then to where the person wanted to be. */
export function SignInPage(): VNode {
  const { session, router } = useApp()
  const step = useSignal<SignInState | null>(null)
  useEnter(router.place.value.query.get('next'))
  const done = async (state: SignInState) => {
    if (state.state === 'signed_in') await session.refresh()
    else step.value = state
  }
  if (step.value?.state !== 'second_factor') return <PasswordStep done={done} />
  const startAgain = () => (step.value = null)
  return <SecondFactorStep methods={step.value.methods} done={done} startAgain={startAgain} />
}

/** Leaves a page for people who are not signed in as soon as somebody is, for `next` or the first page. */
function useEnter(next: string | null): void {
  const { session, router, browser } = useApp()
  useSignalEffect(() => {
    if (session.state.value.kind !== 'signed_in') return
    router.go(safeReturn(next, browser.window.location.origin), { replace: true })
  })
}

/** The first step: e-mail address and password, or a passkey in the place of both. */
function PasswordStep({ done }: { done: (state: SignInState) => Promise<void> }): VNode {
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
