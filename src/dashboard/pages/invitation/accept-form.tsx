import type { VNode } from 'preact'
import { PASSWORD_LENGTH } from '../../../contract/dashboard/credentials.ts'
import { SignInState } from '../../../contract/dashboard/sign-in.ts'
import type { InvitationOffer } from '../../../contract/dashboard/team.ts'
import { useApp } from '../../app-context.ts'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { invitationTexts } from './texts.ts'

interface AcceptFormProps {
  offer: InvitationOffer
  token: string
  done: (state: SignInState) => Promise<void>
}

/** Joins the team: by a new name and password, or by the password of an account that is there. */
export function AcceptForm({ offer: { email, has_account }, token, done }: AcceptFormProps): VNode {
  const { api } = useApp()
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) =>
      has_account
        ? { password: requiredFault(password) }
        : { name: requiredFault(name), password: newPasswordFault(password) },
    async send({ name, password }) {
      const body = has_account ? { token, password } : { token, name, password }
      const path = '/api/invitations/accept'
      const outcome = await api.change({ method: 'POST', path, body, answer: SignInState })
      if (outcome.kind === 'failed') return outcome.failure
      await done(outcome.data)
      return null
    },
  })
  return (
    <Form form={form} submit={invitationTexts.submit}>
      {/* So that a password manager knows whose password it keeps. */}
      <input hidden type="text" autocomplete="username" value={email} readOnly />
      {has_account ? (
        <PasswordField
          form={form}
          name="password"
          label={invitationTexts.password}
          hint={invitationTexts.known}
        />
      ) : (
        <>
          <TextField form={form} name="name" label={invitationTexts.name} autocomplete="name" />
          <PasswordField
            form={form}
            name="password"
            label={invitationTexts.newPassword}
            hint={invitationTexts.hint}
            isNew
          />
        </>
      )}
    </Form>
  )
}

/** What is wrong with a password that a person chooses, as far as a browser can know. */
function newPasswordFault(password: string): string | undefined {
  return password.length < PASSWORD_LENGTH.least ? invitationTexts.short : undefined
}
