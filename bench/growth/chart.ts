import type { Step } from './steps.ts'

interface Line {
  words: string
  color: string
  /** A value for each step; null where it was not measured. */
  values: readonly (number | null)[]
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 260, 60, 20, 34, 40]

/** Two charts over the number of charges, as SVG: pairs a second, and the p95 of lists in ms. */
export function drawGrowth(steps: readonly Step[]): string {
  const of = (value: (step: Step) => number | undefined) => steps.map((step) => value(step) ?? null)
  const pairs: Line[] = [
    { words: 'on empty tables beside it', color: '#888888', values: of(({ pairs: both }) => both?.other) },
    { words: 'pairs a second', color: '#1f6feb', values: of(({ pairs: both }) => both?.one) },
  ]
  const lists: Line[] = [
    {
      words: 'p95 in ms: highest of all lists, half',
      color: '#b3261e',
      values: of(({ lists: all }) => all?.half.highest),
    },
    {
      words: 'highest, a small merchant',
      color: '#e08600',
      values: of(({ lists: all }) => all?.small.highest),
    },
    {
      words: 'median of all lists, half',
      color: '#2e7d32',
      values: of(({ lists: all }) => all?.half.median),
    },
  ]
  const sizes = steps.map(({ charges }) => charges)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${2 * HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${2 * HEIGHT}" fill="#ffffff"/>`,
    chart(sizes, pairs, 0),
    chart(sizes, lists, HEIGHT),
    '</svg>\n',
  ].join('\n')
}

function chart(sizes: readonly number[], lines: readonly Line[], at: number): string {
  const max = Math.max(1, ...lines.flatMap(({ values }) => values.filter((value) => value !== null)))
  const x = (size: number) => LEFT + ((WIDTH - LEFT - RIGHT) * size) / Math.max(...sizes)
  const y = (value: number) => at + HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / max
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const height = y(share * max).toFixed(1)
    return `<path d="M${LEFT} ${height}H${WIDTH - RIGHT}" stroke="#dddddd"/><text x="${LEFT - 6}" y="${height}" text-anchor="end" dy="4">${(share * max).toFixed(max < 20 ? 1 : 0)}</text>`
  })
  const labels = sizes.map(
    (size) =>
      `<text x="${x(size).toFixed(1)}" y="${at + HEIGHT - BOTTOM + 18}" text-anchor="middle">${(size / 1e6).toFixed(size % 1e6 === 0 ? 0 : 1)} M</text>`,
  )
  const drawn = lines.map(({ words, color, values }, place) => {
    const points = values.flatMap((value, step) =>
      value === null ? [] : [`${x(sizes[step] ?? 0).toFixed(1)},${y(value).toFixed(1)}`],
    )
    const dots = points.map((point) => `<circle cx="${point.replace(',', '" cy="')}" r="3" fill="${color}"/>`)
    const legend = `<text x="${LEFT + place * 230}" y="${at + 18}" fill="${color}">${words}</text>`
    return `${legend}<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}`
  })
  return [...grid, ...labels, ...drawn].join('\n')
}
