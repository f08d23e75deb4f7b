import type { VNode } from 'preact'
import { PASSWORD_LENGTH } from '../../../contract/dashboard/people/credentials.ts'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import type { InvitationOffer } from '../../../contract/dashboard/people/team.ts'
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

/** Joins the team with a new name and password, or with the password of an existing account; or sets a new password. */
export function AcceptForm({ offer, token, done }: AcceptFormProps): VNode {
  const { email, has_account, resets_password } = offer
  const { api } = useApp()
  const asksName = !has_account && !resets_password
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) => ({
      name: asksName ? requiredFault(name) : undefined,
      password: has_account ? requiredFault(password) : newPasswordFault(password),
    }),
    async send({ name, password }) {
      const body = asksName ? { token, name, password } : { token, password }
      const path = '/api/invitations/accept'
      const outcome = await api.change({ method: 'POST', path, body, answer: SignInState })
      if (outcome.kind === 'failed') return outcome.failure
      await done(outcome.data)
      return null
    },
  })
  return (
    <Form form={form} submit={resets_password ? invitationTexts.reset.submit : invitationTexts.submit}>
      {/* So that a password manager knows whose password it keeps. */}
      <input hidden type="text" autocomplete="username" value={email} readOnly />
      {asksName && <TextField form={form} name="name" label={invitationTexts.name} autocomplete="name" />}
      <PasswordField
        form={form}
        name="password"
        label={has_account ? invitationTexts.password : invitationTexts.newPassword}
        hint={has_account ? invitationTexts.known : invitationTexts.hint}
        isNew={!has_account}
      />
    </Form>
  )
}

/** What is wrong with a password that a person chooses, as far as a browser can know. */
function newPasswordFault(password: string): string | undefined {
  return password.length < PASSWORD_LENGTH.min ? invitationTexts.short : undefined
}
