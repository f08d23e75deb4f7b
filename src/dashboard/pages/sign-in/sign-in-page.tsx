import { useSignal, useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import type { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../../app-context.ts'
import { PasswordStep } from './password-step.tsx'
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
