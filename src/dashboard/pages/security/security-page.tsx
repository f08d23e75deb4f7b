import type { VNode } from 'preact'
import { PageHeader } from '../../shell/page-header.tsx'
import { useSignal } from '@preact/signals'
import * as v from 'valibot'
import { ClientView, MadeSecret, MadeClient } from '../../../contract/dashboard/company/oauth-client.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import type { ConfirmDialogProps } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useDelete } from '../../loading/use-delete.ts'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { SCOPES } from '../../../contract/api/scope.ts'
import { Copyable } from '../../components/data/copyable.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { Form } from '../../components/form/form.tsx'
import { TICKED, useForm } from '../../components/form/use-form.ts'
import type { Failure } from '../../api/failure.ts'
import { securityTexts } from './texts.ts'
import { RollDialog } from './roll-dialog.tsx'
import { CompanyView } from '../../../contract/dashboard/company/company.ts'
import { useApp } from '../../app-context.ts'
import { Facts } from '../../components/data/facts.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useUndo } from '../../loading/use-undo.ts'
import { KeysSection } from './keys-section.tsx'
import { OriginsSection } from './origins-section.tsx'
import { PciKit } from '../../../contract/dashboard/company/pci.ts'
import type { ScriptEntry } from '../../../contract/dashboard/company/pci.ts'
import { CodeBlock } from '../../components/data/code-block.tsx'

/** What a merchant's programs and pages need, under the heading by which the public description knows it. */
export function SecurityPage(): VNode {
  return (
    <>
      <PageHeader title={securityTexts.title}>{securityTexts.description}</PageHeader>
      <KeysSection />
      <OriginsSection />
      <ClientsSection />
      <CompanySection />
      <PciSection />
    </>
  )
}

const Clients = v.array(ClientView)
const texts = securityTexts.clients

const COLUMNS: readonly Column<ClientView>[] = [
  { key: 'id', title: texts.columns.id, isLong: true, cell: ({ id }) => <code>{id}</code> },
  {
    key: 'scopes',
    title: texts.columns.scopes,
    cell: ({ scopes }) => scopes.map((one) => texts.scopes[one]).join(', '),
  },
  {
    key: 'created',
    title: texts.columns.created,
    cell: ({ created_at }) => <Moment at={created_at} as="date" />,
  },
  {
    key: 'state',
    title: texts.columns.state,
    isState: true,
    cell: ({ revoked_at }) =>
      revoked_at === null ? (
        <Badge tone="good">{texts.works}</Badge>
      ) : (
        <Badge tone="calm">{texts.ended}</Badge>
      ),
  },
]

/** The merchant's programs that use access tokens. */
function ClientsSection(): VNode {
  const mayChange = usePermits()('see_secrets')
  const clients = useResource('/api/clients', Clients)
  const { roll, revoke } = useClientActs(clients.reload)
  const isMaking = useSignal(false)
  const rolling = useSignal<string | null>(null)
  const revoking = useSignal<string | null>(null)
  const actions = ({ id, issuer, revoked_at }: ClientView) =>
    revoked_at === null && (
      <>
        {issuer === null && <Button onClick={() => (rolling.value = id)}>{texts.roll}</Button>}
        <Button onClick={() => (revoking.value = id)}>{texts.revoke}</Button>
      </>
    )
  return (
    <Section
      title={texts.title}
      description={texts.description}
      actions={
        mayChange && (
          <Button icon="plus" onClick={() => (isMaking.value = true)}>
            {texts.make}
          </Button>
        )
      }
    >
      <Loaded of={clients} isEmpty={(all) => all.length === 0} empty={<p class="soft">{texts.none}</p>}>
        {(all) => (
          <DataTable
            label={texts.list}
            columns={COLUMNS}
            rows={all}
            keyOf={({ id }) => id}
            {...(mayChange ? { actionsOf: actions } : {})}
          />
        )}
      </Loaded>
      {isMaking.value && <MakeClientDialog made={clients.reload} close={() => (isMaking.value = false)} />}
      {rolling.value !== null && (
        <RollDialog
          title={texts.rollTitle}
          submit={texts.roll}
          label={texts.rolled}
          roll={roll(rolling.value)}
          close={() => (rolling.value = null)}
        >
          {rolling.value}
        </RollDialog>
      )}
      {revoking.value !== null && (
        <RevokeDialog act={revoke(revoking.value)} close={() => (revoking.value = null)} />
      )}
    </Section>
  )
}

function useClientActs(reload: () => Promise<void>) {
  const { send } = useChange()
  const deleteOne = useDelete()
  const roll = (id: string) => async (overlapSeconds: number) => {
    const body = { overlap_seconds: overlapSeconds }
    const path = `/api/clients/${id}/secret`
    const outcome = await send({ method: 'POST', path, body, answer: MadeSecret })
    return outcome.kind === 'failed' ? { failure: outcome.failure } : { made: outcome.data.client_secret }
  }
  const revoke = (id: string) => () =>
    deleteOne({ path: `/api/clients/${id}`, refresh: reload, done: texts.revoked })
  return { roll, revoke }
}

function RevokeDialog(props: Pick<ConfirmDialogProps, 'act' | 'close'>): VNode {
  return (
    <ConfirmDialog title={texts.revokeTitle} confirm={texts.revoke} {...props}>
      {texts.revokeWords}
    </ConfirmDialog>
  )
}

const companyTexts = securityTexts.company
const PATH = '/api/company'

/** The merchant's name, and the id by which the operator knows it. */
function CompanySection(): VNode {
  const mayChange = usePermits()('change')
  const company = useResource(PATH, CompanyView)
  return (
    <Section title={companyTexts.title} description={companyTexts.description} isBeside>
      <Loaded of={company}>
        {({ id, name }) => (
          <>
            {mayChange && <NameForm name={name} saved={company.reload} />}
            <Facts
              facts={[
                [companyTexts.name, mayChange ? null : name],
                [companyTexts.id, <Copyable key="id" label={companyTexts.id} text={id} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface NameFormProps {
  name: string
  saved: () => Promise<void>
}

function NameForm({ name: current, saved }: NameFormProps): VNode {
  const { session } = useApp()
  const { send } = useChange()
  const show = useUndo()
  const changed = () => Promise.all([saved(), session.refresh()])
  const form = useForm({
    initial: { name: current },
    check: ({ name }) => ({ name: name.trim() === '' ? companyTexts.needsName : undefined }),
    async send({ name }) {
      const outcome = await send({
        method: 'PATCH',
        path: PATH,
        body: { name: name.trim() },
        answer: CompanyView,
      })
      if (outcome.kind === 'failed') return outcome.failure
      await changed()
      show(companyTexts.saved, {
        path: PATH,
        schema: CompanyView,
        isStill: (now) => now.name === outcome.data.name,
        back: { method: 'PATCH', path: PATH, body: { name: current } },
        undone: () => {
          form.set('name', current)
          return changed()
        },
      })
      return null
    },
  })
  return (
    <Form form={form} submit={companyTexts.submit} submitTone="plain">
      <TextField form={form} name="name" label={companyTexts.name} autocomplete="organization" />
    </Form>
  )
}

const pciTexts = securityTexts.pci

const SCRIPT_COLUMNS: readonly Column<ScriptEntry>[] = [
  {
    key: 'script',
    title: pciTexts.columns.script,
    isLong: true,
    cell: ({ url }) => <code>{url}</code>,
  },
  { key: 'place', title: pciTexts.columns.place, cell: ({ place }) => pciTexts.places[place] },
  { key: 'purpose', title: pciTexts.columns.purpose, cell: ({ purpose }) => purpose },
  {
    key: 'integrity',
    title: pciTexts.columns.integrity,
    isLong: true,
    cell: ({ integrity, assurance }) => (
      <>
        {assurance} <code>{integrity}</code>
      </>
    ),
  },
]

/** What an assessor asks of a payment page, about the release of the SDK that is in use. */
function PciSection(): VNode {
  const kit = useResource('/api/pci', PciKit)
  return (
    <Loaded of={kit}>
      {({ release, scripts, script_tag: tag, content_security_policy: policy }) => (
        <Section title={pciTexts.title} description={pciTexts.description(release)}>
          <CodeBlock label={pciTexts.tag} code={tag} />
          <CodeBlock label={pciTexts.policy} code={policy} />
          <DataTable
            label={pciTexts.scripts}
            columns={SCRIPT_COLUMNS}
            rows={scripts}
            keyOf={({ url, integrity }) => `${url} ${integrity}`}
          />
        </Section>
      )}
    </Loaded>
  )
}

const makeClientDialogTexts = securityTexts.clients
const NO_SCOPE: Failure = {
  code: 'validation_error',
  words: makeClientDialogTexts.needsScope,
  details: [],
  isUnknown: false,
}

interface MakeClientDialogProps {
  made: () => Promise<void>
  close: () => void
}

/** Makes a client, and shows its secret once. */
function MakeClientDialog({ made: reload, close }: MakeClientDialogProps): VNode {
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
      <Dialog title={makeClientDialogTexts.made} close={close}>
        <p>{makeClientDialogTexts.id}</p>
        <Copyable label={makeClientDialogTexts.id} text={made.value.id} />
        <SecretOnce label={makeClientDialogTexts.secret} secret={made.value.client_secret} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {securityTexts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={makeClientDialogTexts.makeTitle} close={close}>
      <Form
        form={form}
        submit={makeClientDialogTexts.make}
        actions={<Button onClick={close}>{securityTexts.cancel}</Button>}
      >
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            form={form}
            name={scope}
            label={makeClientDialogTexts.scopes[scope]}
            hint={scope}
          />
        ))}
      </Form>
    </Dialog>
  )
}
