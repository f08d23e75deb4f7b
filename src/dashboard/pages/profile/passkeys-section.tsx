import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { PasskeyView } from '../../../contract/dashboard/people/passkey.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useDelete } from '../../loading/use-delete.ts'
import { useResource } from '../../loading/use-resource.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { profileTexts } from './texts.ts'

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
export function PasskeysSection(): VNode {
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
