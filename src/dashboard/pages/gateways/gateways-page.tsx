import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { GatewayType, GatewayView, GatewayTest } from '../../../contract/dashboard/company/gateway.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import type { Resource } from '../../loading/resource.ts'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import type { GatewayRequest } from '../../../contract/dashboard/company/gateway.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { TICKED, useForm } from '../../components/form/use-form.ts'
import type { FormFaults, FormState } from '../../components/form/use-form.ts'
import { gatewayTexts } from './texts.ts'

const Gateways = v.array(GatewayView)
const PATH = '/api/gateways'
const Types = v.array(GatewayType)
const TYPES_PATH = '/api/gateway_types'
const { columns } = gatewayTexts

const columnsWith = (types: readonly GatewayType[]): readonly Column<GatewayView>[] => [
  { key: 'name', title: columns.name, cell: ({ name }) => name },
  {
    key: 'type',
    title: columns.type,
    cell: ({ type }) =>
      type === 'sandbox' ? gatewayTexts.sandbox : (types.find((one) => one.type === type)?.name ?? type),
  },
  {
    key: 'credentials',
    title: columns.credentials,
    cell: ({ has_credentials }) => (has_credentials ? gatewayTexts.stored : gatewayTexts.notNeeded),
  },
  {
    key: 'state',
    title: columns.state,
    isState: true,
    cell: ({ is_default }) =>
      is_default ? (
        <Badge tone="good">{gatewayTexts.isDefault}</Badge>
      ) : (
        <Badge tone="calm">{gatewayTexts.other}</Badge>
      ),
  },
]

/** Where the merchant's charges go. */
export function GatewaysPage(): VNode {
  const may = usePermits()
  const gateways = useResource(PATH, Gateways)
  const types = useResource(TYPES_PATH, Types)
  const isAdding = useSignal(false)
  const chosen = useSignal<GatewayView | null>(null)
  const { value: state } = gateways.state
  const { value: known } = types.state
  const before = state.kind === 'ready' ? state.data.find(({ is_default }) => is_default) : undefined
  const add = (
    <Button tone="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {gatewayTexts.add}
    </Button>
  )
  const actions = (gateway: GatewayView) => (
    <>
      <TestButton gateway={gateway} />
      {!gateway.is_default && (
        <Button onClick={() => (chosen.value = gateway)}>{gatewayTexts.makeDefault}</Button>
      )}
    </>
  )
  return (
    <>
      <PageHeader title={gatewayTexts.title} actions={may('see_secrets') && add}>
        {gatewayTexts.description}
      </PageHeader>
      <Loaded
        of={gateways}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState icon="gateways" title={gatewayTexts.none.title}>
            {gatewayTexts.none.words}
          </EmptyState>
        }
      >
        {(all) => (
          <DataTable
            label={gatewayTexts.list}
            columns={columnsWith(known.kind === 'ready' ? known.data : [])}
            rows={all}
            keyOf={({ id }) => id}
            {...(may('change') ? { actionsOf: actions } : {})}
          />
        )}
      </Loaded>
      {isAdding.value && (
        <AddGatewayDialog types={types} added={gateways.reload} close={() => (isAdding.value = false)} />
      )}
      {chosen.value && (
        <DefaultDialog
          gateway={chosen.value}
          before={before}
          made={gateways.reload}
          close={() => (chosen.value = null)}
        />
      )}
    </>
  )
}

interface DefaultDialogProps {
  gateway: GatewayView
  /** The default one until now, where there is one. */
  before: GatewayView | undefined
  made: () => Promise<void>
  close: () => void
}

/** Makes a gateway the default one. */
function DefaultDialog({ gateway: { id, name }, before, made, close }: DefaultDialogProps): VNode {
  const { send } = useChange()
  const { toasts } = useApp()
  const show = useUndo()
  const body = { is_default: true }
  const act = async () => {
    const outcome = await send({ method: 'PATCH', path: `${PATH}/${id}`, body, answer: v.unknown() })
    if (outcome.kind === 'done') {
      await made()
      if (before === undefined) toasts.show(gatewayTexts.defaulted(name))
      else
        show(gatewayTexts.defaulted(name), {
          path: PATH,
          schema: Gateways,
          isStill: (all) => all.some((one) => one.id === id && one.is_default),
          back: { method: 'PATCH', path: `${PATH}/${before.id}`, body },
          undone: made,
        })
    }
    return failureOf(outcome)
  }
  return (
    <ConfirmDialog
      title={gatewayTexts.defaultTitle(name)}
      confirm={gatewayTexts.makeDefault}
      tone="primary"
      act={act}
      close={close}
    >
      {gatewayTexts.defaultWords}
    </ConfirmDialog>
  )
}

/** Asks a gateway whether it lets the merchant in, and says what it has answered. */
function TestButton({ gateway: { id, name } }: { gateway: GatewayView }): VNode {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const test = async () => {
    const outcome = await send({ method: 'POST', path: `/api/gateways/${id}/test`, answer: GatewayTest })
    if (outcome.kind === 'failed') toasts.show(outcome.failure.words, { tone: 'bad' })
    else toasts.show(`${name}: ${outcome.data.message}`, { tone: outcome.data.ok ? 'good' : 'bad' })
  }
  return (
    <Button isBusy={isSending.value} onClick={() => void test()}>
      {isSending.value ? gatewayTexts.testing : gatewayTexts.test}
    </Button>
  )
}

const { fields } = gatewayTexts

/** Named as the service names the fields in its refusals, so that each refusal is shown at its field. */
interface Entered {
  type: string
  name: string
  'credentials.api_key': string
  'credentials.merchant_account': string
  'credentials.base_url': string
  is_default: string
}

/** What a type of gateway proposes. */
function proposalOf(type: GatewayType | undefined): Pick<Entered, 'type' | 'name' | 'credentials.base_url'> {
  return {
    type: type?.type ?? '',
    name: type?.name ?? '',
    'credentials.base_url': type?.usual_url ?? '',
  }
}

interface AddGatewayDialogProps {
  types: Resource<GatewayType[]>
  added: () => Promise<void>
  close: () => void
}

/** Opens once it is known what there is to choose, so that its first field can have the focus. */
function AddGatewayDialog({ types, ...rest }: AddGatewayDialogProps): VNode {
  return (
    <Loaded of={types} skeleton={<></>}>
      {(all) => (
        <Dialog title={gatewayTexts.add} close={rest.close}>
          <AddGatewayForm types={all} {...rest} />
        </Dialog>
      )}
    </Loaded>
  )
}

interface AddGatewayFormProps extends Omit<AddGatewayDialogProps, 'types'> {
  types: readonly GatewayType[]
}

/** Adds an account at a gateway. What is entered goes to the service once and is shown nowhere again. */
function AddGatewayForm({ types, added, close }: AddGatewayFormProps): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: {
      ...proposalOf(types[0]),
      ...{ 'credentials.api_key': '', 'credentials.merchant_account': '', is_default: '' },
    },
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
  const chosen = types.find(({ type }) => type === form.values.value.type)
  const choose = (_: string, type: string) => {
    const proposal = proposalOf(types.find((one) => one.type === type))
    form.set('type', type)
    form.set('name', proposal.name)
    form.set('credentials.base_url', proposal['credentials.base_url'])
  }
  return (
    <Form
      form={form}
      submit={gatewayTexts.add}
      actions={<Button onClick={close}>{gatewayTexts.cancel}</Button>}
    >
      <RadioGroup
        form={{ ...form, set: choose }}
        name="type"
        label={fields.type}
        options={types.map(({ type, name }) => ({ value: type, words: name }))}
      />
      <TextField form={form} name="name" label={fields.name} />
      {chosen && <AccountFields form={form} words={chosen.words} />}
      <Checkbox form={form} name="is_default" label={fields.isDefault} />
    </Form>
  )
}

interface AccountFieldsProps {
  form: FormState<keyof Entered>
  words: GatewayType['words']
}

/** The parts of an account, by the gateway's own words. */
function AccountFields({ form, words }: AccountFieldsProps): VNode {
  return (
    <>
      <TextField
        form={form}
        name="credentials.api_key"
        label={words.api_key}
        hint={fields.apiKeyHint}
        isCode
      />
      <TextField form={form} name="credentials.merchant_account" label={words.merchant_account} isCode />
      <TextField
        form={form}
        name="credentials.base_url"
        label={words.base_url}
        hint={fields.urlHint}
        inputMode="url"
        isCode
      />
    </>
  )
}

function faultsOf(values: Entered): FormFaults {
  const required = [
    'name',
    'credentials.api_key',
    'credentials.merchant_account',
    'credentials.base_url',
  ] as const
  return Object.fromEntries(required.map((name) => [name, requiredFault(values[name])]))
}

function toRequest(values: Entered): GatewayRequest {
  return {
    name: values.name.trim(),
    type: values.type,
    is_default: values.is_default === TICKED,
    credentials: {
      api_key: values['credentials.api_key'].trim(),
      merchant_account: values['credentials.merchant_account'].trim(),
      base_url: values['credentials.base_url'].trim(),
    },
  }
}
