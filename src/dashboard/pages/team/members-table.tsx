import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { MemberView } from '../../../contract/dashboard/people/team.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { useDelete } from '../../loading/use-delete.ts'
import { roleTexts } from '../../session/role-texts.ts'
import { usePermits, useView } from '../../session/use-view.ts'
import { RoleDialog } from './role-dialog.tsx'
import { teamTexts } from './texts.ts'
import './team.css'

interface MembersTableProps {
  members: readonly MemberView[]
  reload: () => Promise<void>
}

/** The members, and what owners do with them. */
export function MembersTable({ members, reload }: MembersTableProps): VNode {
  const { user } = useView()
  const mayManage = usePermits()('manage_team')
  const deleteOne = useDelete()
  const changing = useSignal<MemberView | null>(null)
  const removing = useSignal<MemberView | null>(null)
  const remove =
    ({ id, name }: MemberView) =>
    () =>
      deleteOne({ path: `/api/team/members/${id}`, refresh: reload, done: teamTexts.removed(name) })
  const actions = (member: MemberView) => (
    <div class="row-buttons">
      <Button onClick={() => (changing.value = member)}>{teamTexts.change}</Button>
      <Button onClick={() => (removing.value = member)}>{teamTexts.remove}</Button>
    </div>
  )
  return (
    <>
      <DataTable
        label={teamTexts.list}
        columns={columnsFor(user.id)}
        rows={members}
        keyOf={({ id }) => id}
        {...(mayManage ? { actionsOf: actions } : {})}
      />
      {changing.value && (
        <RoleDialog member={changing.value} changed={reload} close={() => (changing.value = null)} />
      )}
      {removing.value && (
        <ConfirmDialog
          title={teamTexts.removeTitle(removing.value.name)}
          confirm={teamTexts.remove}
          act={remove(removing.value)}
          close={() => (removing.value = null)}
        >
          {teamTexts.removeWords}
        </ConfirmDialog>
      )}
    </>
  )
}

function columnsFor(userId: string): readonly Column<MemberView>[] {
  const { columns } = teamTexts
  return [
    {
      key: 'name',
      title: columns.name,
      cell: ({ id, name, email }) => (
        <div class="member">
          <b>
            {name} {id === userId && <Badge tone="info">{teamTexts.you}</Badge>}
          </b>
          <span class="soft">{email}</span>
        </div>
      ),
    },
    { key: 'role', title: columns.role, cell: ({ role }) => roleTexts[role].name },
    {
      key: 'factor',
      title: columns.factor,
      cell: ({ has_second_factor }) =>
        has_second_factor ? (
          <Badge tone="good">{teamTexts.on}</Badge>
        ) : (
          <Badge tone="calm">{teamTexts.off}</Badge>
        ),
    },
    {
      key: 'seen',
      title: columns.seen,
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? teamTexts.never : <Moment at={last_seen_at} as="relative" />,
    },
  ]
}
