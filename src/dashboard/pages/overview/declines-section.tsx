import type { VNode } from 'preact'
import type { Overview } from '../../../contract/dashboard/overview.ts'
import { useFormats } from '../../app-context.ts'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Count } from '../../formats/count.tsx'
import { Money } from '../../formats/money.tsx'
import { Section } from '../../shell/section.tsx'
import { overviewTexts } from './texts.ts'

const { declines: texts } = overviewTexts

type Decline = Overview['decline_reasons'][number]

const columnsOf = (all: number): readonly Column<Decline>[] => [
  { key: 'reason', title: texts.reason, cell: ({ words }) => words },
  { key: 'count', title: texts.count, cell: ({ count }) => <Count count={count} />, align: 'end' },
  { key: 'share', title: texts.share, cell: ({ count }) => <Share share={count / all} />, align: 'end' },
  {
    key: 'amount',
    title: texts.amount,
    cell: ({ cents, currency }) => <Money cents={cents} currency={currency} />,
    align: 'end',
  },
]

/** Why issuers declined, the most frequent reason first. */
export function DeclinesSection({ overview, currency }: { overview: Overview; currency: string }): VNode {
  const rows = overview.decline_reasons.filter((row) => row.currency === currency)
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <Section title={texts.title}>
      {rows.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <DataTable label={texts.title} columns={columnsOf(all)} rows={rows} keyOf={({ reason }) => reason} />
      )}
    </Section>
  )
}

function Share({ share }: { share: number }): VNode {
  return (
    <span class="rate">
      <meter min={0} max={1} value={share} aria-hidden="true" /> {useFormats().percent(share)}
    </span>
  )
}
