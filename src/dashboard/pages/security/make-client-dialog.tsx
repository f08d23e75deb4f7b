import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { SCOPES } from '../../../contract/api/scope.ts'
import { MadeClient } from '../../../contract/dashboard/company/oauth-client.ts'
import { Button } from '../../components/actions/button.tsx'
import { Copyable } from '../../components/data/copyable.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { Form } from '../../components/form/form.tsx'
import { TICKED, useForm } from '../../components/form/use-form.ts'
import type { Failure } from '../../api/failure.ts'
import { useChange } from '../../loading/use-change.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.clients
const NO_SCOPE: Failure = { code: 'validation_error', words: texts.needsScope, details: [], isUnknown: false }

interface MakeClientDialogProps {
  made: () => Promise<void>
  close: () => void
}

/** Makes a client, and shows its secret once. */
export function MakeClientDialog({ made: reload, close }: MakeClientDialogProps): VNode {
  const { send } = useChange()
  const made = useSignal<MadeClient | null>(null)
  const form = useForm({
    initial: {
      'agreements:read': TICKED,
      'agreements:write': '',
      'payments:read': TICKED,
      'payments:write': '',
    },
    async send(values) {
      const body = { scopes: SCOPES.filter((scope) => values[scope] === TICKED) }
      if (body.scopes.length === 0) return NO_SCOPE
      const outcome = await send({ method: 'POST', path: '/api/clients', body, answer: MadeClient })
      if (outcome.kind === 'failed') return outcome.failure
      made.value = outcome.data
      await reload()
      return null
    },
  })
  if (made.value !== null)
    return (
      <Dialog title={texts.made} close={close}>
        <p>{texts.id}</p>
        <Copyable label={texts.id} text={made.value.id} />
        <SecretOnce label={texts.secret} secret={made.value.client_secret} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {securityTexts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={texts.makeTitle} close={close}>
      <Form form={form} submit={texts.make} actions={<Button onClick={close}>{securityTexts.cancel}</Button>}>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} form={form} name={scope} label={texts.scopes[scope]} hint={scope} />
        ))}
      </Form>
    </Dialog>
  )
}
