import type { ComponentChildren, VNode } from 'preact'
import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'
import { useFormats } from '../../app-context.ts'
import { Money } from '../../formats/money.tsx'
import { overviewTexts } from './texts.ts'

const { tiles: texts } = overviewTexts

const SHOWN = ['authorised', 'captured', 'refunded', 'declined'] as const

interface OverviewTilesProps {
  total: Overview['totals'][number]
  /** 0 to 1; null where no issuer was asked. */
  approvalRate: number | null
}

/** The figures of the days, of one currency. */
export function OverviewTiles({ total, approvalRate }: OverviewTilesProps): VNode {
  const { percent } = useFormats()
  return (
    <section class="tiles" aria-label={texts.title}>
      {SHOWN.map((name) => (
        <TallyTile key={name} name={texts[name]} tally={total[name]} currency={total.currency} />
      ))}
      <Tile name={texts.approval} detail={approvalRate === null ? texts.none : texts.approvalAbout}>
        {approvalRate === null ? '–' : percent(approvalRate)}
      </Tile>
    </section>
  )
}

function TallyTile({ name, tally, currency }: { name: string; tally: Tally; currency: string }): VNode {
  const { number } = useFormats()
  const { count, cents } = tally
  return (
    <Tile name={name} detail={texts.charges(number(count), count === 1)}>
      <Money cents={cents} currency={currency} />
    </Tile>
  )
}

function Tile({
  name,
  detail,
  children,
}: {
  name: string
  detail: string
  children: ComponentChildren
}): VNode {
  return (
    <div class="tile">
      <h2>{name}</h2>
      <p class="tile-figure">{children}</p>
      <p class="soft">{detail}</p>
    </div>
  )
}
