import type { Visit } from './cold-visit.ts'

/** How much longer than the floor page the form may take to be usable. */
const BUDGET = 1.25

type Figure = Exclude<keyof Visit, 'strokes'>

const ROWS: readonly (readonly [words: string, figure: Figure])[] = [
  ['bytes, headers with them', 'bytes'],
  ['requests', 'requests'],
  ['frame asked for, ms', 'frameAsked'],
  ['frame there, ms', 'frameThere'],
  ['frame parsed and run, ms', 'frameRun'],
  ['usable field, ms', 'usable'],
  ['afterLoad, ms', 'afterLoad'],
]

/** The figures of the form next to those of the floor page, in lines: median (min..max) of the runs. */
export function widgetTable(name: string, form: readonly Visit[], floor: readonly Visit[]): string[] {
  const row = (words: string, cells: readonly string[]) =>
    [words.padEnd(29), ...cells.map((cell) => cell.padEnd(24))].join('').trimEnd()
  const toFloor = (figure: Figure) =>
    (medianOf(form, figure) / medianOf(floor, figure === 'afterLoad' ? 'usable' : figure)).toFixed(2)
  return [
    row(`${name}, ${form.length} runs`, ['form', 'floor']),
    ...ROWS.map(([words, figure]) => row(words, [spread(form, figure), spread(floor, figure)])),
    row('key to paint p50 / p99, ms', [strokesOf(form), strokesOf(floor)]),
    row('usable, form to floor', [`${toFloor('usable')} (budget ${BUDGET})`]),
    // The field stands in the document, so it is there before the script that formats what is typed into it.
    row('parsed and run, to floor', [toFloor('frameRun')]),
    row('afterLoad to floor’s usable', [toFloor('afterLoad')]),
    '',
  ]
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b)
}

/** The number that this share of them is below; of none of them it is NaN. */
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
  const strokes = visits.flatMap((visit) => visit.strokes)
  return [0.5, 0.99].map((share) => quantile(strokes, share).toFixed(1)).join(' / ')
}
