import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { MadePasskey } from '../../../contract/dashboard/people/passkey.ts'
import { PasskeyCreation } from '../../../contract/dashboard/people/passkey-creation.ts'
import type { Failure } from '../../api/failure.ts'
import { localFailure } from '../../api/failure.ts'
import { useApp } from '../../app-context.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { RecoveryCodesList } from './recovery-codes-list.tsx'
import { profileTexts } from './texts.ts'

interface PasskeyDialogProps {
  added: () => Promise<void>
  close: () => void
}

/** Makes a passkey under a name. A person without recovery codes gets them as well. */
export function PasskeyDialog({ added, close }: PasskeyDialogProps): VNode {
  const { toasts } = useApp()
  const makePasskey = useMakePasskey()
  const codes = useSignal<readonly string[] | null>(null)
  const texts = profileTexts.passkeys
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: requiredFault(name) }),
    async send({ name }) {
      const made = await makePasskey(name)
      if ('failure' in made) return made.failure
      await added()
      toasts.show(texts.added)
      if (made.recovery_codes === null) close()
      else codes.value = made.recovery_codes
      return null
    },
  })
  return (
    <Dialog title={codes.value === null ? texts.dialog : profileTexts.codes.dialog} close={close}>
      {codes.value === null ? (
        <Form form={form} submit={texts.next}>
          <TextField form={form} name="name" label={texts.name} hint={texts.nameHint} />
        </Form>
      ) : (
        <RecoveryCodesList codes={codes.value} close={close} />
      )}
    </Dialog>
  )
}

/** Asks the service what to make, the device to make it, and the service to keep it. */
function useMakePasskey(): (name: string) => Promise<MadePasskey | { failure: Failure }> {
  const { api, browser } = useApp()
  const path = '/api/user/passkeys'
  return async (name) => {
    const asked = await api.change({
      method: 'POST',
      path: `${path}/options`,
      body: {},
      answer: PasskeyCreation,
    })
    if (asked.kind === 'failed') return asked
    const passkey = await browser.passkeys.make(asked.data.options)
    if (passkey.kind !== 'given')
      return { failure: { ...localFailure('cancelled'), words: profileTexts.passkeys[passkey.kind] } }
    const body = { name, response: passkey.response }
    const made = await api.change({ method: 'POST', path, body, answer: MadePasskey })
    return made.kind === 'failed' ? made : made.data
  }
}
