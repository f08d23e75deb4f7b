import type { VNode } from 'preact'
import * as v from 'valibot'
import { AddedGateway, GatewayType } from '../../../contract/dashboard/company/gateway.ts'
import type { GatewayRequest } from '../../../contract/dashboard/company/gateway.ts'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { TICKED, useForm } from '../../components/form/use-form.ts'
import type { FormFaults, FormState } from '../../components/form/use-form.ts'
import { Icon } from '../../components/icon.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import type { Resource } from '../../loading/resource.ts'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Section } from '../../shell/section.tsx'
import { gatewayTexts } from './texts.ts'
import './connect.css'

const Types = v.array(GatewayType)
const texts = gatewayTexts.connect
const { steps } = gatewayTexts

/** Reads the types of gateway at which there can be accounts. */
export function useGatewayTypes(): Resource<GatewayType[]> {
  return useResource('/api/gateway_types', Types)
}

/** How far a gateway is connected: its account, its notifications, and the first of them. */
const STEPS = ['account', 'setup', 'arrives'] as const
type Step = (typeof STEPS)[number]

/** The steps by which a gateway is connected, those before `current` done; all of them where it is null. */
export function ConnectSteps({ current }: { current: Step | null }): VNode {
  const at = current === null ? STEPS.length : STEPS.indexOf(current)
  return (
    <ol class="connect-steps" aria-label={steps.label}>
      {STEPS.map((step, index) => (
        <li
          key={step}
          class={index < at ? 'done' : index === at ? 'current' : ''}
          {...(index === at && { 'aria-current': 'step' as const })}
        >
          <StepMark number={index + 1} isDone={index < at} />
          {steps[step]}
          {index < at && <span class="unseen">({steps.done})</span>}
        </li>
      ))}
    </ol>
  )
}

/** The number of a step, or that it is done. It repeats what the list says. */
export function StepMark({ number, isDone = false }: { number: number; isDone?: boolean }): VNode {
  return (
    <span class="step-mark" aria-hidden="true">
      {isDone ? <Icon name="check" /> : number}
    </span>
  )
}

/** The first step: which gateway, and the account there. The next ones are on the page of the account. */
export function ConnectPage(): VNode {
  const types = useGatewayTypes()
  return (
    <>
      <PageHeader title={texts.title} back={{ href: '/gateways', words: gatewayTexts.title }}>
        {texts.description}
      </PageHeader>
      <ConnectSteps current="account" />
      <Section title={texts.account} description={texts.accountWords} isBeside>
        <Loaded of={types}>{(all) => <AccountForm types={all} />}</Loaded>
      </Section>
    </>
  )
}

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

/** What a gateway can't do that others can; undefined where it lacks nothing. */
function lacksOf({ can }: GatewayType): string | undefined {
  const lacking = (
    ['partial_capture', 'look_up', 'notifications', 'disputes', 'authentication'] as const
  ).filter((one) => !can[one])
  return lacking.length === 0 ? undefined : lacking.map((one) => texts.lacks[one]).join(' ')
}

/** Adds an account at a gateway. What is entered goes to the service once; the key is shown nowhere again. */
function AccountForm({ types }: { types: readonly GatewayType[] }): VNode {
  const { router, toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: {
      ...proposalOf(types[0]),
      ...{ 'credentials.api_key': '', 'credentials.merchant_account': '', is_default: '' },
    },
    check: faultsOf,
    async send(values) {
      const body = toRequest(values)
      const outcome = await send({ method: 'POST', path: '/api/gateways', body, answer: AddedGateway })
      if (outcome.kind === 'failed') return outcome.failure
      const { id, name, unchecked } = outcome.data
      if (unchecked !== null) toasts.show(texts.unchecked(name, unchecked), { tone: 'bad' })
      router.go(`/gateways/${id}${unchecked === null ? '?added=1' : ''}`, { replace: true })
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
      submit={texts.submit}
      actions={<ButtonLink href="/gateways">{gatewayTexts.cancel}</ButtonLink>}
    >
      <RadioGroup
        form={{ ...form, set: choose }}
        name="type"
        label={texts.type}
        options={types.map((type) => ({ value: type.type, words: type.name, hint: lacksOf(type) }))}
      />
      {chosen && <Notice tone="info">{chosen.beforehand}</Notice>}
      {chosen && <AccountFields form={form} type={chosen} />}
      <TextField form={form} name="name" label={texts.name} hint={texts.nameHint} />
      <Checkbox form={form} name="is_default" label={texts.isDefault} />
    </Form>
  )
}

interface AccountFieldsProps {
  form: FormState<keyof Entered>
  type: GatewayType
}

/** The parts of an account by the gateway's own words, with where to find each. */
function AccountFields({ form, type: { words, finding } }: AccountFieldsProps): VNode {
  return (
    <>
      <TextField
        form={form}
        name="credentials.api_key"
        label={words.api_key}
        hint={`${finding.api_key} ${texts.keyHint}`}
        isCode
      />
      <TextField
        form={form}
        name="credentials.merchant_account"
        label={words.merchant_account}
        hint={finding.merchant_account}
        isCode
      />
      <TextField
        form={form}
        name="credentials.base_url"
        label={words.base_url}
        hint={finding.base_url}
        inputMode="url"
        isCode
      />
    </>
  )
}

function faultsOf(values: Entered): FormFaults {
  const required = [
    'credentials.api_key',
    'credentials.merchant_account',
    'credentials.base_url',
    'name',
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
