import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import type { VNode } from 'preact'
import { GatewayNotifications, MadePassword } from '../../../contract/dashboard/company/gateway.ts'
import type { GatewaySetup } from '../../../contract/dashboard/company/gateway.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { CopyButton } from '../../components/data/copy-button.tsx'
import { Copyable } from '../../components/data/copyable.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { usePermits } from '../../session/use-view.ts'
import { Section } from '../../shell/section.tsx'
import { StepMark } from './connect-page.tsx'
import { gatewayTexts } from './texts.ts'

const texts = gatewayTexts.setup

export interface SetupProps {
  /** Of the account's notifications, in the API. */
  path: string
  /** What people call the gateway. */
  gateway: string
  setup: GatewaySetup
  state: GatewayNotifications
  /** Shows what a change has left. */
  changed: (state: GatewayNotifications) => void
}

interface SetupSectionProps extends SetupProps {
  reload: () => Promise<void>
  /** Whether what is done once is shown on demand alone. */
  isFolded: boolean
}

/** How notifications are set up at a gateway: what to enter there, what to do there, and the key that comes of it. */
export function SetupSection({ isFolded, ...props }: SetupSectionProps): VNode {
  const { gateway, state, path, changed, reload } = props
  const mayChange = usePermits()('see_secrets')
  const { button, dialogs } = usePasswordMaking({ path, state, reload })
  const guide = <Guide {...props} makePassword={mayChange && button} />
  return (
    <Section title={texts.title} description={texts.description(gateway)}>
      {state.has_former && mayChange && <FormerNotice {...{ path, state, changed }} />}
      {isFolded ? (
        <details class="fold">
          <summary>{texts.fold(gateway)}</summary>
          {guide}
        </details>
      ) : (
        guide
      )}
      {dialogs}
    </Section>
  )
}

interface GuideProps extends SetupProps {
  /** The button for it; false for who may not. */
  makePassword: VNode | false
}

/** What to do, in order. */
function Guide({ path, gateway, setup, state, changed, makePassword }: GuideProps): VNode {
  const { name } = setup.signing_key
  return (
    <div class="setup-guide">
      <h3 class="guide-title">{texts.enter(gateway)}</h3>
      <Facts
        facts={[
          [texts.address, <Copyable label={texts.address} text={state.url} />],
          ...(setup.has_password ? passwordFacts(state, makePassword) : []),
          [texts.events, <EventNames events={setup.events} />],
        ]}
      />
      <h3 class="guide-title">{texts.follow(gateway)}</h3>
      <ol class="guide">
        {setup.steps.map((step, index) => (
          <li key={step}>
            <StepMark number={index + 1} />
            <span>{step}</span>
          </li>
        ))}
      </ol>
      <h3 class="guide-title">{texts.key(name)}</h3>
      <p class="soft">{state.has_signing_key ? texts.keyStored : texts.keyMissing}</p>
      {makePassword !== false && <KeyForm {...{ path, setup, state, changed }} />}
    </div>
  )
}

/** The user and password that the gateway sends, with the button that makes them. */
function passwordFacts({ user }: GatewayNotifications, button: VNode | false): (readonly [string, VNode])[] {
  const withButton = (words: string) => (
    <div class="with-button">
      <span class="soft">{words}</span>
      {button}
    </div>
  )
  if (user === null) return [[texts.userAndPassword, withButton(texts.passwordMissing)]]
  return [
    [texts.user, <Copyable label={texts.user} text={user} />],
    [texts.password, withButton(texts.passwordMade)],
  ]
}

function EventNames({ events }: { events: readonly string[] }): VNode {
  return (
    <div class="with-copy">
      <ul class="event-names">
        {events.map((event) => (
          <li key={event}>
            <code>{breakable(event)}</code>
          </li>
        ))}
      </ul>
      <CopyButton text={events.join('\n')} label={texts.copyEvents} />
    </div>
  )
}

/** A long name, which breaks after its underscores alone where it has to. */
function breakable(name: string): VNode[] {
  return name.split(/(?<=_)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))
}

interface PasswordParts {
  path: string
  state: GatewayNotifications
  reload: () => Promise<void>
}

/**
 * Makes the user and password that the gateway sends: the button, and the dialogs that ask before another one and show it once. They stand
 * apart, as the button's place changes once there is a password.
 */
function usePasswordMaking({ path, state, reload }: PasswordParts): { button: VNode; dialogs: VNode } {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const isAsked = useSignal(false)
  const made = useSignal<MadePassword | null>(null)
  const make = async () => {
    const outcome = await send({ method: 'POST', path: `${path}/password`, answer: MadePassword })
    if (outcome.kind === 'done') {
      made.value = outcome.data
      await reload()
    }
    return failureOf(outcome)
  }
  const makeFirst = async () => {
    const failure = await make()
    if (failure !== null) toasts.show(failure.words, { tone: 'bad' })
  }
  const isFirst = state.user === null
  const button = (
    <Button
      tone={isFirst ? 'primary' : 'plain'}
      isBusy={isSending.value}
      onClick={() => (isFirst ? void makeFirst() : (isAsked.value = true))}
    >
      {isFirst ? texts.makePassword : texts.newPassword}
    </Button>
  )
  const dialogs = (
    <>
      {isAsked.value && (
        <ConfirmDialog
          title={texts.newPasswordTitle}
          confirm={texts.newPassword}
          tone="primary"
          act={make}
          close={() => (isAsked.value = false)}
        >
          {texts.newPasswordWords}
        </ConfirmDialog>
      )}
      {made.value !== null && !isAsked.value && (
        <MadeDialog made={made.value} close={() => (made.value = null)} />
      )}
    </>
  )
  return { button, dialogs }
}

/** Shows a user and password this one time. */
function MadeDialog({ made, close }: { made: MadePassword; close: () => void }): VNode {
  return (
    <Dialog title={texts.madeTitle} close={close}>
      <p>{texts.madeWords}</p>
      <div class="made-user">
        <p class="secret-label">{texts.user}</p>
        <Copyable label={texts.user} text={made.user} />
      </div>
      <SecretOnce label={texts.password} secret={made.password} />
      <div class="dialog-actions">
        <Button tone="primary" onClick={close}>
          {gatewayTexts.done}
        </Button>
      </div>
    </Dialog>
  )
}

/** Takes the key by which the gateway signs. It goes to the service once and is shown nowhere again. */
function KeyForm({ path, setup, state, changed }: Omit<SetupProps, 'gateway'>): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const { name, finding } = setup.signing_key
  const isNext = !state.has_signing_key && (state.user !== null || !setup.has_password)
  const form = useForm({
    initial: { signing_key: '' },
    check: ({ signing_key }) => ({ signing_key: requiredFault(signing_key) }),
    async send({ signing_key }) {
      const body = { signing_key: signing_key.trim() }
      const own = `${path}/signing_key`
      const outcome = await send({ method: 'PUT', path: own, body, answer: GatewayNotifications })
      if (outcome.kind === 'failed') return outcome.failure
      form.reset()
      changed(outcome.data)
      toasts.show(texts.keySaved(name))
      return null
    },
  })
  return (
    <Form form={form} submit={texts.keySave(name)} submitTone={isNext ? 'primary' : 'plain'}>
      <TextField form={form} name="signing_key" label={name} hint={finding} isCode />
    </Form>
  )
}

/** Says that former secrets are still good, and ends them. */
function FormerNotice({ path, state, changed }: Pick<SetupProps, 'path' | 'state' | 'changed'>): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const isAsked = useSignal(false)
  const end = async () => {
    const outcome = await send({ method: 'DELETE', path: `${path}/former`, answer: GatewayNotifications })
    if (outcome.kind === 'done') {
      changed(outcome.data)
      toasts.show(texts.formerEnded)
    }
    return failureOf(outcome)
  }
  return (
    <>
      <Notice tone="info" action={<Button onClick={() => (isAsked.value = true)}>{texts.endFormer}</Button>}>
        {texts.former}
      </Notice>
      {isAsked.value && (
        <ConfirmDialog
          title={texts.endFormerTitle}
          confirm={texts.endFormer}
          act={end}
          close={() => (isAsked.value = false)}
        >
          <p>{texts.endFormerWords}</p>
          {state.newest_heard_at === null && <Notice tone="warning">{texts.endFormerEarly}</Notice>}
        </ConfirmDialog>
      )}
    </>
  )
}
