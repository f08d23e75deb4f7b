import type { VNode } from 'preact'
import * as v from 'valibot'
import type { GatewayRequest } from '../../../contract/dashboard/company/gateway.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { TICKED, useForm } from '../../components/form/use-form.ts'
import type { FormFaults } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { gatewayTexts } from './texts.ts'

const { fields } = gatewayTexts

/** Named as the service names the fields in its refusals, so that each refusal is shown at its field. */
const INITIAL = {
  name: 'Adyen',
  'credentials.api_key': '',
  'credentials.merchant_account': '',
  'credentials.base_url': '',
  is_default: '',
}

interface AddGatewayDialogProps {
  added: () => Promise<void>
  close: () => void
}

/** Adds an account at Adyen. What is entered goes to the service once and is shown nowhere again. */
export function AddGatewayDialog({ added, close }: AddGatewayDialogProps): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: INITIAL,
    check: faultsOf,
    async send(values) {
      const body = toRequest(values)
      const outcome = await send({ method: 'POST', path: '/api/gateways', body, answer: v.unknown() })
      if (outcome.kind === 'failed') return outcome.failure
      await added()
      toasts.show(gatewayTexts.added(body.name))
      close()
      return null
    },
  })
  return (
    <Dialog title={gatewayTexts.add} close={close}>
      <Form
        form={form}
        submit={gatewayTexts.add}
        actions={<Button onClick={close}>{gatewayTexts.cancel}</Button>}
      >
        <TextField form={form} name="name" label={fields.name} />
        <TextField
          form={form}
          name="credentials.api_key"
          label={fields.apiKey}
          hint={fields.apiKeyHint}
          isCode
        />
        <TextField form={form} name="credentials.merchant_account" label={fields.account} isCode />
        <TextField
          form={form}
          name="credentials.base_url"
          label={fields.url}
          hint={fields.urlHint}
          inputMode="url"
          isCode
        />
        <Checkbox form={form} name="is_default" label={fields.isDefault} />
      </Form>
    </Dialog>
  )
}

function faultsOf(values: typeof INITIAL): FormFaults {
  const required = Object.entries(values).filter(([name]) => name !== 'is_default')
  return Object.fromEntries(required.map(([name, text]) => [name, requiredFault(text)]))
}

function toRequest(values: typeof INITIAL): GatewayRequest {
  return {
    name: values.name.trim(),
    type: 'adyen',
    is_default: values.is_default === TICKED,
    credentials: {
      api_key: values['credentials.api_key'].trim(),
      merchant_account: values['credentials.merchant_account'].trim(),
      base_url: values['credentials.base_url'].trim(),
    },
  }
}
