import type { VNode } from 'preact'

/** A card with its chip and four groups of digits. */
const UNKNOWN: SchemeDrawing = {
  ground: 'none',
  shapes: [
    [
      'currentColor',
      'M6.5 6h5a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5h-5A1.5 1.5 0 0 1 5 10.5v-3A1.5 1.5 0 0 1 6.5 6',
    ],
    ['currentColor', 'M5 16h5.5v2H5zm7.5 0H18v2h-5.5zm7.5 0h5.5v2H20zm7.5 0H33v2h-5.5z'],
  ],
}

interface SchemeIconProps {
  name: string
  label: string
}

/** The icon of a card scheme; a plain card for an unknown scheme. */
export function SchemeIcon({ name, label }: SchemeIconProps): VNode {
  const { ground, shapes = [], word } = SCHEME_DRAWINGS[name] ?? UNKNOWN
  return (
    <svg class="scheme" viewBox="0 0 38 24" role="img" aria-label={label}>
      <rect
        x=".5"
        y=".5"
        width="37"
        height="23"
        rx="4"
        fill={ground}
        stroke="currentColor"
        stroke-opacity=".4"
      />
      {shapes.map(([colour, path]) => (
        <path key={path} d={path} fill={colour} />
      ))}
      {word && (
        <text
          x={word.middles ?? 19}
          y={12 + word.size * 0.36}
          fill={word.colour}
          font-size={word.size}
          font-style={word.italic === true ? 'italic' : undefined}
          font-weight="800"
          text-anchor="middle"
        >
          {word.text}
        </text>
      )}
    </svg>
  )
}

/** A scheme's mark, 38 by 24: our own simple drawing of it, in the owner's colours. */
interface SchemeDrawing {
  ground: string
  /** Filled shapes: colour and path. */
  shapes?: readonly (readonly [colour: string, path: string])[]
  word?: {
    text: string
    colour: string
    size: number
    /** The middle of each of its letters, unless they stand in the middle of the mark. */
    middles?: string
    italic?: boolean
  }
}

const WHITE = '#fff'

/** Two discs, and what they have in common. */
const discs = (left: string, right: string, common: string) =>
  [
    [left, 'M6.5 12a7.5 7.5 0 1 1 15 0 7.5 7.5 0 1 1-15 0'],
    [right, 'M16.5 12a7.5 7.5 0 1 1 15 0 7.5 7.5 0 1 1-15 0'],
    [common, 'M19 6.4a7.5 7.5 0 0 1 0 11.2 7.5 7.5 0 0 1 0-11.2'],
  ] as const

export const SCHEME_DRAWINGS: Readonly<Record<string, SchemeDrawing>> = {
  visa: {
    ground: WHITE,
    word: { text: 'VISA', colour: '#1434cb', size: 13, italic: true },
  },
  mastercard: {
    ground: WHITE,
    shapes: discs('#eb001b', '#f79e1b', '#ff5f00'),
  },
  maestro: {
    ground: WHITE,
    shapes: discs('#eb001b', '#00a2e5', '#7375cf'),
  },
  amex: {
    ground: '#016fd0',
    word: { text: 'AMEX', colour: WHITE, size: 11 },
  },
  discover: {
    ground: WHITE,
    shapes: [
      ['#f47216', 'M12 23.5c10-1.5 19-5 25.5-9.500V19.500a4 4 0 0 1-4 4z'],
      ['#f47216', 'M17.4 12a3.2 3.2 0 1 1 6.4 0 3.2 3.2 0 1 1-6.4 0'],
    ],
    word: { text: 'DISCVER', colour: '#16181d', size: 7, middles: '4.6 8 11.2 15.6 25.6 30 34.5' },
  },
  diners: {
    ground: WHITE,
    shapes: [
      ['#004a97', 'M10 12a9 9 0 1 1 18 0 9 9 0 1 1-18 0'],
      [WHITE, 'M17 5.900a6.5 6.5 0 0 0 0 12.200zM21 5.900v12.200a6.5 6.5 0 0 0 0-12.2'],
    ],
  },
  japcb: {
    ground: WHITE,
    shapes: [
      ['#0b5ba8', 'M7 7.500a4 4 0 0 1 4-4h3.500v13a4 4 0 0 1-4 4H7z'],
      ['#d6083b', 'M15.3 7.500a4 4 0 0 1 4-4h3.500v13a4 4 0 0 1-4 4h-3.500z'],
      ['#148a3c', 'M23.6 7.500a4 4 0 0 1 4-4h3.500v13a4 4 0 0 1-4 4h-3.500z'],
    ],
    word: { text: 'JCB', colour: WHITE, size: 8, middles: '10.8 19.1 27.4' },
  },
  unionpay: {
    ground: WHITE,
    shapes: [
      ['#d7182a', 'M8 4h9l-4 16H4z'],
      ['#0b4a80', 'M17 4h8l-4 16h-8z'],
      ['#0e7c84', 'M25 4h9l-4 16h-9z'],
    ],
  },
  ausbc: {
    ground: '#0a4a97',
    word: { text: 'BANK', colour: '#f79e1b', size: 11 },
  },
  solo: { ground: '#b42318', word: { text: 'SOLO', colour: WHITE, size: 11 } },
  laser: {
    ground: '#0e7c84',
    word: { text: 'LASER', colour: WHITE, size: 10 },
  },
}
