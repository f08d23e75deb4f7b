import type { VNode } from 'preact'
import * as v from 'valibot'
import type { InvitationView } from '../../../contract/dashboard/people/team.ts'
import { useApp } from '../../app-context.ts'
import { ActButton } from '../../components/actions/act-button.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { roleTexts } from '../../session/role-texts.ts'
import { usePermits } from '../../session/use-view.ts'
import { teamTexts } from './texts.ts'

const texts = teamTexts.invitations

const COLUMNS: readonly Column<InvitationView>[] = [
  { key: 'email', title: texts.columns.email, isLong: true, cell: ({ email }) => email },
  { key: 'role', title: texts.columns.role, cell: ({ role }) => roleTexts[role].name },
  { key: 'by', title: texts.columns.by, cell: ({ invited_by }) => invited_by ?? texts.operator },
  {
    key: 'expires',
    title: texts.columns.expires,
    cell: ({ expires_at }) => <Moment at={expires_at} as="relative" />,
  },
]

interface InvitationsSectionProps {
  invitations: readonly InvitationView[]
  reload: () => Promise<void>
}

/** Invitations that nobody has accepted yet. */
export function InvitationsSection({ invitations, reload }: InvitationsSectionProps): VNode {
  const { toasts } = useApp()
  const mayManage = usePermits()('manage_team')
  const { send } = useChange()
  const revoke = async (id: string) => {
    const outcome = await send({ method: 'DELETE', path: `/api/team/invitations/${id}`, answer: v.unknown() })
    if (outcome.kind === 'done') toasts.show(texts.revoked)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
    await reload()
  }
  const actions = ({ id }: InvitationView) => <ActButton act={() => revoke(id)}>{texts.revoke}</ActButton>
  return (
    <Section title={texts.title} description={texts.description}>
      {invitations.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <DataTable
          label={texts.list}
          columns={COLUMNS}
          rows={invitations}
          keyOf={({ id }) => id}
          {...(mayManage ? { actionsOf: actions } : {})}
        />
      )}
    </Section>
  )
}
