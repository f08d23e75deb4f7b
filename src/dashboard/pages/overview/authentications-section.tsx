import type { VNode } from 'preact'
import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'
import { useFormats } from '../../app-context.ts'
import { DataTable } from '../../components/data/data-table.tsx'
import { Section } from '../../shell/section.tsx'
import { overviewTexts } from './texts.ts'

const { authentications: texts, trend } = overviewTexts

const SHOWN = ['asked', 'passed', 'not_passed', 'gave_up'] as const
type Figures = Readonly<Record<(typeof SHOWN)[number], Tally>>

interface Period extends Figures {
  /** ISO 8601. */
  startsAt: string
}

const NOTHING: Tally = { count: 0, cents: 0 }
const NONE: Figures = { asked: NOTHING, passed: NOTHING, not_passed: NOTHING, gave_up: NOTHING }

/** How many card holders were asked by their bank, passed, did not, and gave up: of the days, and of each. Nothing where none was asked. */
export function AuthenticationsSection({
  overview,
  currency,
}: {
  overview: Overview
  currency: string
}): VNode | null {
  const { number, percent, money } = useFormats()
  const total = overview.totals.find((one) => one.currency === currency) ?? NONE
  if (SHOWN.every((name) => total[name].count === 0)) return null
  const asked = total.asked.count
  const detailOf = (name: (typeof SHOWN)[number]) =>
    name === 'asked'
      ? texts.sums(money(total.asked.cents, currency))
      : asked === 0
        ? ''
        : texts.ofAsked(percent(total[name].count / asked))
  return (
    <Section title={texts.title} description={texts.about}>
      <section class="tiles" aria-label={texts.tiles}>
        {SHOWN.map((name) => (
          <div key={name} class="tile">
            <h3>{texts[name]}</h3>
            <p class="tile-figure">{number(total[name].count)}</p>
            <p class="soft">{detailOf(name)}</p>
          </div>
        ))}
      </section>
      <details class="trend-figures">
        <summary>{overview.step === 'day' ? texts.table : texts.tableByHour}</summary>
        <PeriodsTable overview={overview} currency={currency} />
      </details>
    </Section>
  )
}

function PeriodsTable({
  overview: { series, step },
  currency,
}: {
  overview: Overview
  currency: string
}): VNode {
  const { date, dateTime, number } = useFormats()
  const timeOf = step === 'day' ? date : dateTime
  const periods = series.map(({ starts_at: startsAt, currencies }): Period => {
    const { asked, passed, not_passed, gave_up } = currencies.find((one) => one.currency === currency) ?? NONE
    return { startsAt, asked, passed, not_passed, gave_up }
  })
  const columns = [
    { key: 'time', title: trend[step], cell: ({ startsAt }: Period) => timeOf(startsAt) },
    ...SHOWN.map((name) => ({
      key: name,
      title: texts[name],
      cell: (period: Period) => number(period[name].count),
      align: 'end' as const,
    })),
  ]
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={periods.toReversed()}
      keyOf={({ startsAt }) => startsAt}
    />
  )
}
