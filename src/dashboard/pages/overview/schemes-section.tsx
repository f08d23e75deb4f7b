import type { VNode } from 'preact'
import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'
import { useFormats } from '../../app-context.ts'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Money } from '../../formats/money.tsx'
import { Section } from '../../shell/section.tsx'
import { schemeName } from '../charges/scheme-names.ts'
import { overviewTexts } from './texts.ts'

const { schemes: texts, tiles } = overviewTexts

type SchemeRow = Overview['by_scheme'][number]

const COLUMNS: readonly Column<SchemeRow>[] = [
  { key: 'scheme', title: texts.scheme, cell: ({ scheme }) => schemeName(scheme) },
  ...(['authorised', 'captured', 'declined'] as const).map((name) => ({
    key: name,
    title: tiles[name],
    cell: (row: SchemeRow) => <Tallied tally={row[name]} currency={row.currency} />,
    align: 'end' as const,
  })),
  {
    key: 'approval',
    title: texts.approval,
    cell: (row) => <ApprovalRate rate={row.approval_rate} />,
    align: 'end',
  },
]

/** The figures of each card scheme. */
export function SchemesSection({ overview, currency }: { overview: Overview; currency: string }): VNode {
  const rows = overview.by_scheme.filter((row) => row.currency === currency)
  return (
    <Section title={texts.title}>
      <DataTable
        label={texts.title}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ scheme }) => scheme}
        hrefOf={({ scheme }) =>
          `/charges?scheme=${encodeURIComponent(scheme)}&from=${overview.from}&to=${overview.to}`
        }
      />
    </Section>
  )
}

function Tallied({ tally: { count, cents }, currency }: { tally: Tally; currency: string }): VNode {
  const { number } = useFormats()
  return (
    <>
      <Money cents={cents} currency={currency} /> <span class="soft">({number(count)})</span>
    </>
  )
}

function ApprovalRate({ rate }: { rate: number | null }): VNode {
  const { percent } = useFormats()
  if (rate === null) return <span class="soft">–</span>
  return (
    <span class="rate">
      <meter min={0} max={1} value={rate} aria-hidden="true" /> {percent(rate)}
    </span>
  )
}
