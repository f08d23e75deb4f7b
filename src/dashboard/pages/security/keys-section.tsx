import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { KeyView, MadeKey } from '../../../contract/dashboard/company/api-key.ts'
import type { KeyKind } from '../../../contract/dashboard/company/api-key.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { Copyable } from '../../components/data/copyable.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useDelete } from '../../loading/use-delete.ts'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { RollDialog } from './roll-dialog.tsx'
import { securityTexts } from './texts.ts'

const Keys = v.array(KeyView)
const texts = securityTexts.keys

const COLUMNS: readonly Column<KeyView>[] = [
  { key: 'kind', title: texts.columns.kind, cell: ({ kind }) => texts.kinds[kind] },
  { key: 'key', title: texts.columns.key, isLong: true, cell: keyShown },
  {
    key: 'created',
    title: texts.columns.created,
    cell: ({ created_at }) => <Moment at={created_at} as="date" />,
  },
  {
    key: 'used',
    title: texts.columns.used,
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span class="soft">{texts.unused}</span>
      ) : (
        <Moment at={last_used_at} as="relative" />
      ),
  },
  { key: 'state', title: texts.columns.state, isState: true, cell: stateShown },
]

/** The merchant's keys: rolled with an overlap, or revoked at once. */
export function KeysSection(): VNode {
  const mayChange = usePermits()('see_secrets')
  const keys = useResource('/api/keys', Keys)
  const { roll, revoke } = useKeyActs(keys.reload)
  const rolling = useSignal<KeyKind | null>(null)
  const revoking = useSignal<KeyView | null>(null)
  const actions = (key: KeyView) =>
    key.is_revoked ? null : <Button onClick={() => (revoking.value = key)}>{texts.revoke}</Button>
  return (
    <Section
      title={texts.title}
      description={texts.description}
      actions={
        mayChange && (
          <>
            <Button onClick={() => (rolling.value = 'public')}>{texts.roll.public}</Button>
            <Button onClick={() => (rolling.value = 'secret')}>{texts.roll.secret}</Button>
          </>
        )
      }
    >
      <Loaded of={keys}>
        {(all) => (
          <DataTable
            label={texts.list}
            columns={COLUMNS}
            rows={all.toReversed()}
            keyOf={({ id }) => id}
            {...(mayChange ? { actionsOf: actions } : {})}
          />
        )}
      </Loaded>
      {rolling.value && (
        <RollDialog
          title={texts.rollTitle[rolling.value]}
          submit={texts.roll[rolling.value]}
          label={texts.rolled[rolling.value]}
          roll={roll(rolling.value)}
          close={() => (rolling.value = null)}
        >
          {texts.rollWords}
        </RollDialog>
      )}
      {revoking.value && (
        <ConfirmDialog
          title={texts.revokeTitle[revoking.value.kind]}
          confirm={texts.revoke}
          act={revoke(revoking.value.id)}
          close={() => (revoking.value = null)}
        >
          {texts.revokeWords}
        </ConfirmDialog>
      )}
    </Section>
  )
}

function useKeyActs(reload: () => Promise<void>) {
  const { send } = useChange()
  const deleteOne = useDelete()
  const roll = (kind: KeyKind) => async (overlapSeconds: number) => {
    const body = { kind, overlap_seconds: overlapSeconds }
    const outcome = await send({ method: 'POST', path: '/api/keys', body, answer: MadeKey })
    if (outcome.kind === 'failed') return { failure: outcome.failure }
    await reload()
    return { made: outcome.data.key }
  }
  const revoke = (id: string) => () =>
    deleteOne({ path: `/api/keys/${id}`, refresh: reload, done: texts.revoked })
  return { roll, revoke }
}

function keyShown({ kind, key }: KeyView) {
  if (key !== null) return <Copyable label={texts.kinds[kind]} text={key} />
  return <span class="soft">{kind === 'secret' ? texts.hidden : texts.unknown}</span>
}

function stateShown({ is_revoked, ends_at }: KeyView) {
  if (is_revoked) return <Badge tone="calm">{texts.ended}</Badge>
  if (ends_at === null) return <Badge tone="good">{texts.works}</Badge>
  return (
    <Badge tone="wait">
      {texts.ends} <Moment at={ends_at} as="relative" />
    </Badge>
  )
}
