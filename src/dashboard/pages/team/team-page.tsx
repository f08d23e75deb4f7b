import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { TeamView, MadeInvitation } from '../../../contract/dashboard/people/team.ts'
import { Button } from '../../components/actions/button.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits, useView } from '../../session/use-view.ts'
import * as v from 'valibot'
import type { InvitationView, MemberView } from '../../../contract/dashboard/people/team.ts'
import { useApp } from '../../app-context.ts'
import { ActButton } from '../../components/actions/act-button.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { useChange } from '../../loading/use-change.ts'
import { roleTexts } from '../../session/role-texts.ts'
import { teamTexts } from './texts.ts'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { emailFault } from '../../components/form/checks.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Role } from '../../../contract/dashboard/people/role.ts'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { Badge } from '../../components/data/badge.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { useDelete } from '../../loading/use-delete.ts'
import { failureOf } from '../../api/api.ts'
import { useUndo } from '../../loading/use-undo.ts'
import './team.css'

/** Who works for the merchant. Owners invite, change roles and remove; the others look. */
export function TeamPage(): VNode {
  const { merchant } = useView()
  const mayManage = usePermits()('manage_team')
  const team = useResource('/api/team', TeamView)
  const isInviting = useSignal(false)
  return (
    <>
      <PageHeader
        title={teamTexts.title}
        actions={
          mayManage && (
            <Button tone="primary" icon="plus" onClick={() => (isInviting.value = true)}>
              {teamTexts.invite}
            </Button>
          )
        }
      >
        {teamTexts.description(merchant.name)}
      </PageHeader>
      <Loaded of={team}>
        {({ members, invitations }) => (
          <>
            <MembersTable members={members} reload={team.reload} />
            <InvitationsSection invitations={invitations} reload={team.reload} />
          </>
        )}
      </Loaded>
      {isInviting.value && <InviteDialog invited={team.reload} close={() => (isInviting.value = false)} />}
    </>
  )
}

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
function InvitationsSection({ invitations, reload }: InvitationsSectionProps): VNode {
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

interface InviteDialogProps {
  invited: () => Promise<void>
  close: () => void
}

/** Makes an invitation, and shows its link once. */
function InviteDialog({ invited, close }: InviteDialogProps): VNode {
  const { send } = useChange()
  const made = useSignal<{ link: string; email: string } | null>(null)
  const texts = teamTexts.invitations
  const form = useForm({
    initial: { email: '', role: 'developer' },
    check: ({ email }) => ({ email: emailFault(email) }),
    async send(body) {
      const path = '/api/team/invitations'
      const outcome = await send({ method: 'POST', path, body, answer: MadeInvitation })
      if (outcome.kind === 'failed') return outcome.failure
      made.value = { link: outcome.data.link, email: body.email }
      await invited()
      return null
    },
  })
  if (made.value !== null)
    return (
      <Dialog title={texts.made} close={close}>
        <p>{texts.send(made.value.email)}</p>
        <SecretOnce label={texts.link} secret={made.value.link} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={texts.dialog} close={close}>
      <Form form={form} submit={texts.submit} actions={<Button onClick={close}>{texts.cancel}</Button>}>
        <TextField form={form} name="email" label={texts.email} inputMode="email" />
        <RoleChoice form={form} label={teamTexts.role.label} />
      </Form>
    </Dialog>
  )
}

interface MembersTableProps {
  members: readonly MemberView[]
  reload: () => Promise<void>
}

/** The members, and what owners do with them. */
function MembersTable({ members, reload }: MembersTableProps): VNode {
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

interface RoleDialogProps {
  member: MemberView
  changed: () => Promise<void>
  close: () => void
}

/** Gives a member another role. */
function RoleDialog({ member: { id, name, role }, changed, close }: RoleDialogProps): VNode {
  const { session } = useApp()
  const { send } = useChange()
  const show = useUndo()
  const refresh = () => Promise.all([changed(), session.refresh()])
  const texts = teamTexts.role
  const form = useForm<'role'>({
    initial: { role },
    async send(body) {
      const path = `/api/team/members/${id}`
      const outcome = await send({ method: 'PATCH', path, body, answer: v.unknown() })
      if (outcome.kind === 'done') {
        show(texts.saved, {
          path: '/api/team',
          schema: TeamView,
          isStill: ({ members }) => members.some((one) => one.id === id && one.role === body.role),
          back: { method: 'PATCH', path, body: { role } },
          undone: refresh,
        })
        close()
        await refresh()
      }
      return failureOf(outcome)
    },
  })
  return (
    <Dialog title={texts.title(name)} close={close}>
      <Form form={form} submit={texts.submit} actions={<Button onClick={close}>{texts.cancel}</Button>}>
        <RoleChoice form={form} label={texts.label} />
      </Form>
    </Dialog>
  )
}

interface RoleChoiceProps<Name extends string> {
  form: FormState<Name | 'role'>
  label: string
}

/** A choice among the roles, each with what it may do. */
function RoleChoice<Name extends string>({ form, label }: RoleChoiceProps<Name>): VNode {
  const options = Role.options.map((role) => ({
    value: role,
    words: roleTexts[role].name,
    hint: roleTexts[role].hint,
  }))
  return <RadioGroup form={form} name="role" label={label} options={options} />
}
