import type { VNode } from 'preact'
import { PageHeader } from '../../shell/page-header.tsx'
import { useSignal } from '@preact/signals'
import * as v from 'valibot'
import { ClientView, MadeSecret } from '../../../contract/dashboard/company/oauth-client.ts'
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
import { MakeClientDialog } from './make-client-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import { securityTexts } from './texts.ts'
import { CompanySection } from './company-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { OriginsSection } from './origins-section.tsx'
import { PciSection } from './pci-section.tsx'

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
