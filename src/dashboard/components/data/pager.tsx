import * as v from 'valibot'
import type { VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { hrefWith } from '../../router/query.ts'
import { Button } from '../actions/button.tsx'
import { dataTexts } from './texts.ts'
import './pager.css'

/** The cursors of the pages before this one, kept in the history's entry. */
const Trail = v.object({ trail: v.array(v.nullable(v.string())) })

interface PagerProps {
  /** The cursor of the next page; null on the last. */
  next: string | null
}

/** Goes through the pages of a list, whose cursor stands in the address. */
export function Pager({ next }: PagerProps): VNode | null {
  const { router } = useApp()
  const place = router.place.value
  const here = place.query.get('cursor')
  const { success, output } = v.safeParse(Trail, place.kept)
  const trail = success ? output.trail : []
  if (next === null && here === null) return null
  const open = (cursor: string | null, kept: (string | null)[]) => {
    router.go(hrefWith(place, { cursor }), { keep: { trail: kept } })
    window.scrollTo(0, 0)
  }
  const isUnknownBefore = here !== null && trail.length === 0
  return (
    <nav class="pager" aria-label={dataTexts.pages}>
      <Button isDisabled={here === null} onClick={() => open(trail.at(-1) ?? null, trail.slice(0, -1))}>
        {isUnknownBefore ? dataTexts.first : dataTexts.previous}
      </Button>
      <Button isDisabled={next === null} onClick={() => open(next, [...trail, here])}>
        {dataTexts.next}
      </Button>
    </nav>
  )
}
