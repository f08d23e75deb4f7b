import type { VNode } from 'preact'
import { PageHeader } from '../../shell/page-header.tsx'
import * as v from 'valibot'
import { SessionView } from '../../../contract/dashboard/people/session-view.ts'
import { failureOf, SESSION_PATH } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Facts } from '../../components/data/facts.tsx'
import { requiredFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { Select } from '../../components/form/select.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { roleTexts } from '../../session/role-texts.ts'
import { useView } from '../../session/use-view.ts'
import { profileTexts } from './texts.ts'
import { useSignal } from '@preact/signals'
import { PasskeyView, MadePasskey } from '../../../contract/dashboard/people/passkey.ts'
import { Button } from '../../components/actions/button.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useDelete } from '../../loading/use-delete.ts'
import { useResource } from '../../loading/use-resource.ts'
import { PasskeyCreation } from '../../../contract/dashboard/people/passkey-creation.ts'
import type { Failure } from '../../api/failure.ts'
import { localFailure } from '../../api/failure.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { RecoveryCodesList } from './recovery-codes-list.tsx'
import { PASSWORD_LENGTH } from '../../../contract/dashboard/people/credentials.ts'
import { PasswordField } from '../../components/form/password-field.tsx'
import { RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import { Badge } from '../../components/data/badge.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TotpSection } from './totp-section.tsx'
import './profile.css'

/** What a person sets for themselves: name, time zone, and the ways to sign in. */
export function ProfilePage(): VNode {
  return (
    <>
      <PageHeader title={profileTexts.title} />
      <AboutSection />
      <PasswordSection />
      <PasskeysSection />
      <TotpSection />
      <RecoveryCodesSection />
      <SessionsSection />
    </>
  )
}

/** The person's name and time zone. */
function AboutSection(): VNode {
  const { browser, session } = useApp()
  const { user, time_zone } = useView()
  const { send } = useChange()
  const show = useUndo()
  const before = { name: user.name, time_zone }
  const texts = profileTexts.about
  const form = useForm({
    initial: before,
    check: ({ name }) => ({ name: requiredFault(name) }),
    async send(body) {
      const outcome = await send({ method: 'PATCH', path: '/api/user', body, answer: v.unknown() })
      if (outcome.kind === 'done') {
        await session.refresh()
        show(texts.saved, {
          path: SESSION_PATH,
          schema: SessionView,
          isStill: (now) => now.user.name === body.name.trim() && now.time_zone === body.time_zone,
          back: { method: 'PATCH', path: '/api/user', body: before },
          undone: () => {
            form.set('name', before.name)
            form.set('time_zone', before.time_zone)
            return session.refresh()
          },
        })
      }
      return failureOf(outcome)
    },
  })
  const zones = new Set([time_zone, 'UTC', ...browser.timeZones()])
  const options = [...zones].map((zone) => ({ value: zone, words: zone.replaceAll('_', ' ') }))
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Facts
        facts={[
          [texts.email, user.email],
          [texts.role, roleTexts[user.role].name],
        ]}
      />
      <Form form={form} submit={texts.save} submitTone="plain">
        <TextField form={form} name="name" label={texts.name} autocomplete="name" />
        <Select form={form} name="time_zone" label={texts.timeZone} options={options} />
      </Form>
    </Section>
  )
}

const Passkeys = v.array(PasskeyView)
const texts = profileTexts.passkeys

const COLUMNS: readonly Column<PasskeyView>[] = [
  { key: 'name', title: texts.name, cell: ({ name }) => name },
  { key: 'created', title: texts.created, cell: ({ created_at }) => <Moment at={created_at} as="date" /> },
  {
    key: 'used',
    title: texts.used,
    cell: ({ last_used_at }) =>
      last_used_at === null ? texts.never : <Moment at={last_used_at} as="relative" />,
  },
]

/** The person's passkeys. */
function PasskeysSection(): VNode {
  const { browser, session } = useApp()
  const passkeys = useResource('/api/user/passkeys', Passkeys)
  const deleteOne = useDelete()
  const isAdding = useSignal(false)
  const removing = useSignal<PasskeyView | null>(null)
  const refresh = async () => {
    await Promise.all([passkeys.reload(), session.refresh()])
  }
  const remove = (id: string) => () =>
    deleteOne({ path: `/api/user/passkeys/${id}`, refresh, done: texts.removed })
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Loaded of={passkeys} isEmpty={(all) => all.length === 0} empty={<p class="soft">{texts.empty}</p>}>
        {(all) => (
          <DataTable
            label={texts.list}
            columns={COLUMNS}
            rows={all}
            keyOf={({ id }) => id}
            actionsOf={(passkey) => (
              <Button onClick={() => (removing.value = passkey)}>{texts.remove}</Button>
            )}
          />
        )}
      </Loaded>
      {browser.passkeys.isSupported ? (
        <div>
          <Button icon="plus" onClick={() => (isAdding.value = true)}>
            {texts.add}
          </Button>
        </div>
      ) : (
        <p class="soft">{texts.unsupported}</p>
      )}
      {isAdding.value && <PasskeyDialog added={refresh} close={() => (isAdding.value = false)} />}
      {removing.value && (
        <ConfirmDialog
          title={texts.removeTitle(removing.value.name)}
          confirm={texts.remove}
          act={remove(removing.value.id)}
          close={() => (removing.value = null)}
        >
          {texts.removeWords}
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface PasskeyDialogProps {
  added: () => Promise<void>
  close: () => void
}

/** Makes a passkey under a name. A person without recovery codes gets them as well. */
function PasskeyDialog({ added, close }: PasskeyDialogProps): VNode {
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

/** Changes the password. */
function PasswordSection(): VNode {
  const { toasts } = useApp()
  const { user } = useView()
  const { send } = useChange()
  const texts = profileTexts.password
  const form = useForm({
    initial: { old: '', new: '' },
    check: (values) => ({
      old: requiredFault(values.old),
      new: values.new.length < PASSWORD_LENGTH.min ? texts.short : undefined,
    }),
    async send(body) {
      const outcome = await send({ method: 'POST', path: '/api/user/password', body, answer: v.unknown() })
      if (outcome.kind === 'done') {
        form.reset()
        toasts.show(texts.saved)
      }
      return failureOf(outcome)
    },
  })
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Form form={form} submit={texts.save} submitTone="plain">
        <input hidden type="text" autocomplete="username" value={user.email} readOnly />
        <PasswordField form={form} name="old" label={texts.old} />
        <PasswordField form={form} name="new" label={texts.new} hint={texts.hint} isNew />
      </Form>
    </Section>
  )
}

/** Fewer than this are soon used up. */
const FEW_CODES = 3

/** How many recovery codes are left, and new ones. */
function RecoveryCodesSection(): VNode {
  const { session } = useApp()
  const { user } = useView()
  const { send } = useChange()
  const isAsking = useSignal(false)
  const codes = useSignal<readonly string[] | null>(null)
  const texts = profileTexts.codes
  const renew = async () => {
    const path = '/api/user/recovery_codes'
    const outcome = await send({ method: 'POST', path, body: {}, answer: RecoveryCodes })
    if (outcome.kind === 'failed') return outcome.failure
    codes.value = outcome.data.recovery_codes
    await session.refresh()
    return null
  }
  const left = user.recovery_codes_left
  const hasFactor = user.has_totp || user.passkeys > 0
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      {hasFactor ? (
        <div class="setting">
          <Badge tone={left < FEW_CODES ? 'wait' : 'good'}>
            {left === 0 ? texts.none : texts.left(left)}
          </Badge>
          <Button onClick={() => (isAsking.value = true)}>{texts.renew}</Button>
        </div>
      ) : (
        <p class="soft">{texts.needsFactor}</p>
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={texts.renewTitle}
          confirm={texts.renew}
          tone="primary"
          act={renew}
          close={() => (isAsking.value = false)}
        >
          {texts.renewWords}
        </ConfirmDialog>
      )}
      {codes.value && (
        <Dialog title={texts.dialog} close={() => (codes.value = null)}>
          <RecoveryCodesList codes={codes.value} close={() => (codes.value = null)} />
        </Dialog>
      )}
    </Section>
  )
}
