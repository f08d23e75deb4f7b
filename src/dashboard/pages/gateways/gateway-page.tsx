import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { AUTHENTICATION_WISHES } from '../../../contract/api/charges/authentication.ts'
import {
  GatewayDetail,
  GatewayNotifications,
  GatewayView,
} from '../../../contract/dashboard/company/gateway.ts'
import type { GatewaySetup, GatewayType } from '../../../contract/dashboard/company/gateway.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { IdText } from '../../components/data/id-text.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Notices } from '../../components/feedback/notices.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Section } from '../../shell/section.tsx'
import { TitleWithState } from '../../shell/title-with-state.tsx'
import { ArrivalSection, stepOf, useWatched } from './arrival-section.tsx'
import { ConnectSteps, useGatewayTypes } from './connect-page.tsx'
import { DefaultDialog, TestButton } from './gateway-acts.tsx'
import { SetupSection } from './setup-section.tsx'
import type { SetupProps } from './setup-section.tsx'
import { gatewayTexts } from './texts.ts'

const BACK = { href: '/gateways', words: gatewayTexts.title }
const texts = gatewayTexts.account

/** One account at a gateway: how it is connected, and whether its notifications arrive. */
export function GatewayPage({ id }: PageProps): VNode {
  const path = `/api/gateways/${encodeURIComponent(id)}`
  const gateway = useResource(path, GatewayDetail)
  const types = useGatewayTypes()
  return (
    <>
      {gateway.state.value.kind !== 'ready' && <PageHeader title={gatewayTexts.one} back={BACK} />}
      <Loaded of={gateway}>
        {(shown) => (
          <>
            <Header gateway={shown} reload={gateway.reload} />
            <Loaded of={types}>
              {(all) => {
                const type = all.find((one) => one.type === shown.type)
                const account = (
                  <>
                    <AccountSection gateway={shown} type={type} replaced={gateway.reload} />
                    {type?.can.authentication !== false && (
                      <AuthenticationSection gateway={shown} changed={gateway.reload} />
                    )}
                  </>
                )
                if (type === undefined || type.setup === null) return account
                return (
                  <Notifying path={path} gateway={type.name} setup={type.setup}>
                    {account}
                  </Notifying>
                )
              }}
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  )
}

function Header({ gateway, reload }: { gateway: GatewayDetail; reload: () => Promise<void> }): VNode {
  const may = usePermits()
  // The page that connects a gateway leads here with it. A toast would hide what is to be done next.
  const { query } = useApp().router.place.value
  const isAsked = useSignal(false)
  const state = gateway.is_default ? (
    <Badge tone="good">{gatewayTexts.isDefault}</Badge>
  ) : (
    <Badge tone="calm">{gatewayTexts.other}</Badge>
  )
  const actions = may('change') && (
    <>
      <TestButton gateway={gateway} />
      {!gateway.is_default && may('see_secrets') && (
        <Button onClick={() => (isAsked.value = true)}>{gatewayTexts.makeDefault}</Button>
      )}
    </>
  )
  return (
    <>
      <PageHeader
        title={<TitleWithState state={state}>{gateway.name}</TitleWithState>}
        back={BACK}
        actions={actions}
      />
      {query.has('added') && (
        <Notices>
          <Notice tone="good">{gatewayTexts.connect.added(gateway.name)}</Notice>
        </Notices>
      )}
      {isAsked.value && (
        <DefaultDialog
          gateway={gateway}
          before={undefined}
          made={reload}
          close={() => (isAsked.value = false)}
        />
      )}
    </>
  )
}

interface NotifyingProps {
  /** Of the gateway, in the API. */
  path: string
  /** What people call it. */
  gateway: string
  setup: GatewaySetup
  /** What is shown of the account. */
  children: VNode
}

/** The page of an account at a gateway that sends notifications. */
function Notifying({ path, gateway, setup, children }: NotifyingProps): VNode {
  const own = `${path}/notifications`
  const notifications = useResource(own, GatewayNotifications)
  useWatched(notifications)
  return (
    <Loaded of={notifications}>
      {(state) => (
        <NotifyingParts
          {...{ path: own, gateway, setup, state, changed: notifications.replace }}
          reload={notifications.reload}
        >
          {children}
        </NotifyingParts>
      )}
    </Loaded>
  )
}

/**
 * While a gateway is being connected, its parts stand in the order of the steps; later the state comes first, and the steps are folded.
 * Nothing moves meanwhile.
 */
function NotifyingParts({
  children,
  reload,
  ...parts
}: SetupProps & { reload: () => Promise<void>; children: VNode }): VNode {
  const step = stepOf(parts.state)
  const isConnecting = useRef(step !== null)
  const arrival = <ArrivalSection {...parts} />
  return (
    <>
      {isConnecting.current && <ConnectSteps current={step} />}
      {!isConnecting.current && arrival}
      {children}
      <SetupSection {...parts} reload={reload} isFolded={!isConnecting.current} />
      {isConnecting.current && arrival}
    </>
  )
}

interface AccountSectionProps {
  gateway: GatewayDetail
  /** Undefined for the sandbox, which has no account. */
  type: GatewayType | undefined
  replaced: () => Promise<void>
}

function AccountSection({ gateway, type, replaced }: AccountSectionProps): VNode {
  const isReplacing = useSignal(false)
  const mayReplace = usePermits()('see_secrets') && gateway.account !== null && type !== undefined
  const { account } = gateway
  return (
    <Section
      title={texts.title}
      description={type === undefined ? gatewayTexts.sandbox : texts.description}
      actions={mayReplace && <Button onClick={() => (isReplacing.value = true)}>{texts.replace}</Button>}
    >
      {type !== undefined && account === null && <Notice tone="warning">{texts.unreadable}</Notice>}
      <Facts
        facts={[
          ...(type !== undefined && account !== null
            ? ([
                [type.words.merchant_account, <code>{account.merchant_account}</code>],
                [type.words.base_url, <code>{account.base_url}</code>],
                [type.words.api_key, gatewayTexts.stored],
              ] as const)
            : []),
          [texts.id, <IdText id={gateway.id} label={texts.idLabel} />],
        ]}
      />
      {isReplacing.value && type !== undefined && account !== null && (
        <Dialog title={texts.replaceTitle} close={() => (isReplacing.value = false)}>
          <ReplaceForm
            id={gateway.id}
            type={type}
            url={account.base_url}
            replaced={replaced}
            close={() => (isReplacing.value = false)}
          />
        </Dialog>
      )}
    </Section>
  )
}

const wishTexts = gatewayTexts.authentication

interface AuthenticationProps {
  gateway: GatewayDetail
  changed: () => Promise<void>
}

/** Whether the account's card holders are authenticated. */
function AuthenticationSection({ gateway, changed }: AuthenticationProps): VNode {
  const isChanging = useSignal(false)
  const mayChange = usePermits()('see_secrets')
  const { words, hint } = wishTexts.options[gateway.authentication]
  return (
    <Section
      title={wishTexts.title}
      description={wishTexts.description}
      actions={mayChange && <Button onClick={() => (isChanging.value = true)}>{wishTexts.change}</Button>}
    >
      <p>{words}.</p>
      <p class="soft">{hint}</p>
      {isChanging.value && (
        <Dialog title={wishTexts.title} close={() => (isChanging.value = false)}>
          <WishForm gateway={gateway} changed={changed} close={() => (isChanging.value = false)} />
        </Dialog>
      )}
    </Section>
  )
}

function WishForm({ gateway, changed, close }: AuthenticationProps & { close: () => void }): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: { authentication: gateway.authentication },
    async send({ authentication }) {
      const path = `/api/gateways/${gateway.id}`
      const outcome = await send({ method: 'PATCH', path, body: { authentication }, answer: GatewayView })
      if (outcome.kind === 'failed') return outcome.failure
      await changed()
      toasts.show(wishTexts.changed)
      close()
      return null
    },
  })
  return (
    <Form
      form={form}
      submit={wishTexts.submit}
      actions={<Button onClick={close}>{gatewayTexts.cancel}</Button>}
    >
      <RadioGroup
        form={form}
        name="authentication"
        label={wishTexts.label}
        options={AUTHENTICATION_WISHES.map((value) => ({ value, ...wishTexts.options[value] }))}
      />
    </Form>
  )
}

interface ReplaceFormProps {
  id: string
  type: GatewayType
  url: string
  replaced: () => Promise<void>
  close: () => void
}

/** Takes another key of the same account; the gateway is asked first. */
function ReplaceForm({ id, type: { words, finding }, url, replaced, close }: ReplaceFormProps): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const form = useForm({
    initial: { api_key: '', base_url: url },
    check: ({ api_key, base_url }) => ({
      api_key: requiredFault(api_key),
      base_url: requiredFault(base_url),
    }),
    async send({ api_key, base_url }) {
      const body = { api_key: api_key.trim(), base_url: base_url.trim() }
      const path = `/api/gateways/${id}/credentials`
      const outcome = await send({ method: 'PUT', path, body, answer: GatewayDetail })
      if (outcome.kind === 'failed') return outcome.failure
      await replaced()
      toasts.show(texts.replaced)
      close()
      return null
    },
  })
  return (
    <>
      <p>{texts.replaceWords}</p>
      <Form
        form={form}
        submit={texts.replaceSubmit}
        actions={<Button onClick={close}>{gatewayTexts.cancel}</Button>}
      >
        <TextField form={form} name="api_key" label={words.api_key} hint={finding.api_key} isCode />
        <TextField form={form} name="base_url" label={words.base_url} inputMode="url" isCode />
      </Form>
    </>
  )
}
