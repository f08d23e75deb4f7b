import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { VNode } from 'preact'
import { InvitationOffer } from '../../../contract/dashboard/people/team.ts'
import type { Failure } from '../../api/failure.ts'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { SignedOutShell } from '../../shell/signed-out-shell.tsx'
import { createResource } from '../../loading/resource.ts'
import { SecondFactorStep } from '../sign-in/second-factor-step.tsx'
import { PASSWORD_LENGTH } from '../../../contract/dashboard/people/credentials.ts'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { invitationTexts } from './texts.ts'

/**
 * Where the link of an invitation leads: `/invitation#TOKEN`. The token is behind the #, so that no server's log has it. Who is signed in
 * sees it too, as one person may work for several merchants; joining begins a new session.
 */
export function InvitationPage(): VNode {
  const { session, router } = useApp()
  const token = router.place.value.hash
  const step = useSignal<SignInState | null>(null)
  const offer = useOffer(token)
  const done = async (state: SignInState) => {
    if (state.state === 'second_factor') {
      step.value = state
      return
    }
    await session.refresh()
    router.go('/', { replace: true })
  }
  if (step.value?.state === 'second_factor') {
    const startAgain = () => router.go('/sign-in')
    return <SecondFactorStep methods={step.value.methods} done={done} startAgain={startAgain} />
  }
  const state = offer.state.value
  if (state.kind === 'failed')
    return (
      <SignedOutShell title={invitationTexts.loading}>
        <Notice tone="bad">{wordsOf(state.failure)}</Notice>
        <ButtonLink href="/sign-in">{invitationTexts.signIn}</ButtonLink>
      </SignedOutShell>
    )
  if (state.kind === 'loading')
    return (
      <SignedOutShell title={invitationTexts.loading}>
        <Skeleton />
      </SignedOutShell>
    )
  return (
    <SignedOutShell {...headOf(state.data)}>
      <OtherPersonNotice email={state.data.email} />
      <AcceptForm offer={state.data} token={token} done={done} />
    </SignedOutShell>
  )
}

/** Shown without a request when a part of the link is missing. */
function wordsOf({ code, words }: Failure): string {
  return code === 'validation_error' ? invitationTexts.notWhole : words
}

/** Warns where somebody other than the invited person is signed in. */
function OtherPersonNotice({ email }: { email: string }): VNode | null {
  const state = useApp().session.state.value
  if (state.kind !== 'signed_in' || state.view.user.email === email) return null
  return <Notice tone="info">{invitationTexts.signedInAs(state.view.user.email)}</Notice>
}

function headOf({ merchant, email, role, resets_password }: InvitationOffer) {
  const { reset, title, description } = invitationTexts
  if (resets_password) return { title: reset.title, description: reset.description(email) }
  return { title: title(merchant), description: description(email, role) }
}

/** What the link offers. It is asked for by POST, so that the token is in no address. */
function useOffer(token: string) {
  const { api } = useApp()
  const offer = useMemo(
    () =>
      createResource((path) =>
        api.change({ method: 'POST', path, body: { token }, answer: InvitationOffer }),
      ),
    [token],
  )
  useEffect(() => void offer.open('/api/invitations/read'), [offer])
  return offer
}

interface AcceptFormProps {
  offer: InvitationOffer
  token: string
  done: (state: SignInState) => Promise<void>
}

/** Joins the team with a new name and password, or with the password of an existing account; or sets a new password. */
function AcceptForm({ offer, token, done }: AcceptFormProps): VNode {
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
