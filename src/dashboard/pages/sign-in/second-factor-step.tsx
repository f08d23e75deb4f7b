import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import type { SecondFactor } from '../../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { SignedOutShell } from '../../shell/signed-out-shell.tsx'
import { signInTexts } from './texts.ts'
import { usePasskey } from './use-passkey.ts'
import './sign-in.css'

interface SecondFactorStepProps {
  methods: readonly SecondFactor[]
  done: (state: SignInState) => Promise<void>
  startAgain: () => void
}

/** The second step for a person with a second factor: one of its methods, and links to the others. */
export function SecondFactorStep({ methods, done, startAgain }: SecondFactorStepProps): VNode {
  const method = useSignal<SecondFactor>(methods[0] ?? 'totp')
  const { title, description } = signInTexts.second[method.value]
  return (
    <SignedOutShell title={title} description={description}>
      {method.value === 'passkey' ? (
        <PasskeyFactor done={done} />
      ) : (
        <CodeFactor key={method.value} method={method.value} done={done} />
      )}
      <div class="other-methods">
        {methods
          .filter((other) => other !== method.value)
          .map((other) => (
            <Button key={other} tone="quiet" onClick={() => (method.value = other)}>
              {signInTexts.others[other]}
            </Button>
          ))}
        <Button tone="quiet" onClick={startAgain}>
          {signInTexts.startAgain}
        </Button>
      </div>
    </SignedOutShell>
  )
}

interface CodeFactorProps {
  method: Exclude<SecondFactor, 'passkey'>
  done: (state: SignInState) => Promise<void>
}

function CodeFactor({ method, done }: CodeFactorProps): VNode {
  const { api } = useApp()
  const { label, submit } = signInTexts.second[method]
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: requiredFault(code) }),
    async send({ code }) {
      const body = method === 'totp' ? { code } : { recovery_code: code.trim() }
      const path = '/api/session/second_factor'
      const outcome = await api.change({ method: 'POST', path, body, answer: SignInState })
      if (outcome.kind === 'failed') return outcome.failure
      await done(outcome.data)
      return null
    },
  })
  return (
    <Form form={form} submit={submit}>
      <TextField
        form={form}
        name="code"
        label={label}
        isCode
        hasFocus
        {...(method === 'totp' ? { inputMode: 'numeric', autocomplete: 'one-time-code' } : {})}
      />
    </Form>
  )
}

function PasskeyFactor({ done }: { done: (state: SignInState) => Promise<void> }): VNode {
  const passkey = usePasskey(done)
  return (
    <>
      {passkey.alert.value !== '' && <Notice tone="bad">{passkey.alert.value}</Notice>}
      <Button tone="primary" icon="key" isBusy={passkey.isBusy.value} onClick={() => void passkey.start()}>
        {signInTexts.second.passkey.submit}
      </Button>
    </>
  )
}
