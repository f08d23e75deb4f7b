import type { VNode } from 'preact'
import * as v from 'valibot'
import { TeamView } from '../../../contract/dashboard/people/team.ts'
import type { MemberView } from '../../../contract/dashboard/people/team.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { RoleChoice } from './role-choice.tsx'
import { teamTexts } from './texts.ts'

interface RoleDialogProps {
  member: MemberView
  changed: () => Promise<void>
  close: () => void
}

/** Gives a member another role. */
export function RoleDialog({ member: { id, name, role }, changed, close }: RoleDialogProps): VNode {
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
