import type { VNode } from 'preact'
import { DataTable } from '../../../components/data/data-table.tsx'
import type { Column } from '../../../components/data/data-table.tsx'
import { templateTexts } from '../texts.ts'
import type { ContentChange } from './content-changes.ts'
import './changes.css'

const { changes: texts } = templateTexts

const COLUMNS: readonly Column<ContentChange>[] = [
  { key: 'place', title: texts.place, cell: ({ place }) => place },
  {
    key: 'before',
    title: texts.before,
    cell: ({ before }) => (before === null ? <Unset /> : <del>{before}</del>),
  },
  {
    key: 'after',
    title: texts.after,
    cell: ({ after }) => (after === null ? <Unset /> : <ins>{after}</ins>),
  },
]

/** What differs between two contents of a template. */
export function ChangesList({ changes }: { changes: readonly ContentChange[] }): VNode {
  if (changes.length === 0) return <p class="soft">{texts.none}</p>
  return <DataTable label={texts.title} columns={COLUMNS} rows={changes} keyOf={({ place }) => place} />
}

function Unset(): VNode {
  return <span class="soft">{texts.unset}</span>
}
