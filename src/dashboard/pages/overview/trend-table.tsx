import type { VNode } from 'preact'
import type { Overview } from '../../../contract/dashboard/overview.ts'
import { useFormats } from '../../app-context.ts'
import { DataTable } from '../../components/data/data-table.tsx'
import { overviewTexts } from './texts.ts'
import { LINES } from './trend.ts'
import type { TrendPoint } from './trend.ts'

const { trend: texts, tiles } = overviewTexts

interface TrendTableProps {
  points: readonly TrendPoint[]
  currency: string
  step: Overview['step']
}

/** The figures of the chart, the newest first. */
export function TrendTable({ points, currency, step }: TrendTableProps): VNode {
  const { date, dateTime, money, number } = useFormats()
  const timeOf = step === 'day' ? date : dateTime
  const columns = [
    { key: 'time', title: texts[step], cell: ({ startsAt }: TrendPoint) => timeOf(startsAt) },
    ...LINES.map((line) => ({
      key: line,
      title: tiles[line],
      cell: ({ [line]: { cents, count } }: TrendPoint) => `${money(cents, currency)} (${number(count)})`,
      align: 'end' as const,
    })),
  ]
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={points.toReversed()}
      keyOf={({ startsAt }) => startsAt}
    />
  )
}
