import type { Visit } from './cold-visit.ts'

/** How much longer than the floor page the form may take to be usable. */
const USABLE_GOAL = 1.1
/** How much longer than the floor page's bare input the form may take to show a key that was pressed, at p95. */
const STROKE_GOAL = 1.5

type Figure = Exclude<keyof Visit, 'strokes' | 'shift'>

const ROWS: readonly (readonly [words: string, figure: Figure])[] = [
  ['bytes, headers with them', 'bytes'],
  ['requests', 'requests'],
  ['frame asked for, ms', 'frameAsked'],
  ['frame there, ms', 'frameThere'],
  ['frame parsed and run, ms', 'frameRun'],
  ['usable field, ms', 'usable'],
  ['afterLoad, ms', 'afterLoad'],
]

/** What is measured: its name, and how much longer than the floor page is usable the form may take to tell its page that it is loaded. */
interface Measured {
  name: string
  afterLoadGoal: number
}

interface Visits {
  form: readonly Visit[]
  released: readonly Visit[]
  floor: readonly Visit[]
}

/** The figures of the form and of the release before it next to those of the floor page, in lines: median (min..max). */
export function widgetTable({ name, afterLoadGoal }: Measured, { form, released, floor }: Visits): string[] {
  const row = (words: string, cells: readonly string[]) =>
    [words.padEnd(33), ...cells.map((cell) => cell.padEnd(24))].join('').trimEnd()
  const toFloor = (figure: Figure) =>
    [form, released].map((visits) =>
      (medianOf(visits, figure) / medianOf(floor, figure === 'afterLoad' ? 'usable' : figure)).toFixed(2),
    )
  const spreads = (figure: Figure) => [form, released, floor].map((visits) => spread(visits, figure))
  return [
    row(`${name}, ${form.length} runs`, ['form', 'released before', 'floor']),
    ...ROWS.map(([words, figure]) => row(words, spreads(figure))),
    row('key to paint p50 / p95 / p99, ms', [form, released, floor].map(strokesOf)),
    row(
      `key to paint p95, to floor (${STROKE_GOAL})`,
      [form, released].map((visits) =>
        (strokeQuantile(visits, 0.95) / strokeQuantile(floor, 0.95)).toFixed(2),
      ),
    ),
    row(`usable, to floor (goal ${USABLE_GOAL})`, toFloor('usable')),
    // The field is part of the document, so it can be used before the script has run that formats what is typed into it.
    row('parsed and run, to floor', toFloor('frameRun')),
    row(`afterLoad to floor’s usable (${afterLoadGoal})`, toFloor('afterLoad')),
    row('layout shift, most (goal 0)', [form, released, floor].map(maxShift)),
    '',
  ]
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b)
}

/** The quantile of these numbers; NaN of an empty list. */
function quantile(numbers: readonly number[], share: number): number {
  const list = sorted(numbers)
  return list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? NaN
}

function medianOf(visits: readonly Visit[], figure: Figure): number {
  return quantile(
    visits.map((visit) => visit[figure]),
    0.5,
  )
}

function spread(visits: readonly Visit[], figure: Figure): string {
  const list = visits.map((visit) => visit[figure])
  if (list.some(Number.isNaN)) return '-'
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(list, share).toFixed(0))
  return low === high ? String(middle) : `${middle} (${low}..${high})`
}

function strokesOf(visits: readonly Visit[]): string {
  return [0.5, 0.95, 0.99].map((share) => strokeQuantile(visits, share).toFixed(1)).join(' / ')
}

function maxShift(visits: readonly Visit[]): string {
  return Math.max(...visits.map(({ shift }) => shift)).toFixed(4)
}

/** The quantile over all keys of all visits, in ms. */
function strokeQuantile(visits: readonly Visit[], share: number): number {
  return quantile(
    visits.flatMap((visit) => visit.strokes),
    share,
  )
}
