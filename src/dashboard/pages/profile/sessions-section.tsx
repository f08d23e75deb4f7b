import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { SessionEntry } from '../../../contract/dashboard/people/session-view.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { ActButton } from '../../components/actions/act-button.tsx'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import { deviceNameOf } from '../../people/device-name.ts'
import { profileTexts } from './texts.ts'

const Sessions = v.array(SessionEntry)
const texts = profileTexts.sessions

const COLUMNS: readonly Column<SessionEntry>[] = [
  {
    key: 'device',
    title: texts.device,
    cell: ({ user_agent, is_current }) => (
      <span class="with-badge" title={user_agent}>
        {deviceNameOf(user_agent)} {is_current && <Badge tone="good">{texts.current}</Badge>}
      </span>
    ),
  },
  { key: 'address', title: texts.address, cell: ({ address }) => address },
  { key: 'seen', title: texts.seen, cell: ({ seen_at }) => <Moment at={seen_at} as="relative" /> },
  { key: 'begun', title: texts.begun, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** Where the person is signed in, and the way to end it. */
export function SessionsSection(): VNode {
  const { session, toasts } = useApp()
  const sessions = useResource('/api/sessions', Sessions)
  const { send } = useChange()
  const isEndingAll = useSignal(false)
  const end = async (id: string) => {
    const outcome = await send({ method: 'DELETE', path: `/api/sessions/${id}`, answer: v.unknown() })
    if (outcome.kind === 'done') toasts.show(texts.ended)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
    await sessions.reload()
  }
  const endAll = async () => {
    const outcome = await send({ method: 'DELETE', path: '/api/sessions', answer: v.unknown() })
    if (outcome.kind === 'done') await session.refresh()
    return failureOf(outcome)
  }
  return (
    <Section title={texts.title} description={texts.description} isBeside>
      <Loaded of={sessions}>
        {(all) => (
          <DataTable
            label={texts.list}
            columns={COLUMNS}
            rows={all}
            keyOf={({ id }) => id}
            actionsOf={({ id, is_current }) =>
              is_current ? null : <ActButton act={() => end(id)}>{texts.end}</ActButton>
            }
          />
        )}
      </Loaded>
      <div>
        <Button onClick={() => (isEndingAll.value = true)}>{texts.endAll}</Button>
      </div>
      {isEndingAll.value && (
        <ConfirmDialog
          title={texts.endAllTitle}
          confirm={texts.endAll}
          act={endAll}
          close={() => (isEndingAll.value = false)}
        >
          {texts.endAllWords}
        </ConfirmDialog>
      )}
    </Section>
  )
}
