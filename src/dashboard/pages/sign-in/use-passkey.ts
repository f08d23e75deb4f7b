import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { PasskeyOptions } from '../../../contract/dashboard/people/passkey.ts'
import { SignInState } from '../../../contract/dashboard/people/sign-in.ts'
import { useApp } from '../../app-context.ts'
import { signInTexts } from './texts.ts'

/** The sign-in by a passkey, alone or as a second factor. */
export interface PasskeyAttempt {
  /** Why it failed; '' if it did not. */
  alert: ReadonlySignal<string>
  isBusy: ReadonlySignal<boolean>
  start: () => Promise<void>
}

/** Asks the device for a passkey, and calls `done` when the service has taken it. */
export function usePasskey(done: (state: SignInState) => Promise<void>): PasskeyAttempt {
  const { api, browser } = useApp()
  const alert = useSignal('')
  const isBusy = useSignal(false)

  /** Why the sign-in failed, in words; '' if it did not. */
  async function signIn(): Promise<string> {
    const path = '/api/session/passkey'
    const asked = await api.change({
      method: 'POST',
      path: `${path}/options`,
      body: {},
      answer: PasskeyOptions,
    })
    if (asked.kind === 'failed') return asked.failure.words
    const passkey = await browser.passkeys.ask(asked.data.options)
    if (passkey.kind !== 'given') return signInTexts.stopped
    const { response } = passkey
    const outcome = await api.change({ method: 'POST', path, body: { response }, answer: SignInState })
    if (outcome.kind === 'failed') return outcome.failure.words
    await done(outcome.data)
    return ''
  }
  return {
    alert,
    isBusy,
    async start() {
      isBusy.value = true
      alert.value = ''
      alert.value = await signIn()
      isBusy.value = false
    },
  }
}
