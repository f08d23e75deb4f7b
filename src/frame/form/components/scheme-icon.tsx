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
  const { ground, shapes = [], lines = [] } = SCHEME_DRAWINGS[name] ?? UNKNOWN
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
      {lines.map(([colour, width, path]) => (
        <path key={path} d={path} fill="none" stroke={colour} stroke-width={width} stroke-linejoin="bevel" />
      ))}
    </svg>
  )
}

/** A scheme's mark, 38 by 24: our own simple drawing of it, in the owner's colours. */
interface SchemeDrawing {
  ground: string
  /** Filled shapes: colour and path. */
  shapes?: readonly (readonly [colour: string, path: string])[]
  /** Letters, drawn as lines: none depends on a font. Colour, width and path. */
  lines?: readonly (readonly [colour: string, width: number, path: string])[]
}

const WHITE = '#fff'

/** Two discs, and what they have in common. */
const discs = (left: string, right: string, common: string) =>
  [
    [left, 'M6 12a7.5 7.5 0 1 1 15 0 7.5 7.5 0 1 1-15 0'],
    [right, 'M16 12a7.5 7.5 0 1 1 15 0 7.5 7.5 0 1 1-15 0'],
    [common, 'M19 6.9a7.5 7.5 0 0 1 0 10.2 7.5 7.5 0 0 1 0-10.2'],
  ] as const

export const SCHEME_DRAWINGS: Readonly<Record<string, SchemeDrawing>> = {
  visa: {
    ground: WHITE,
    lines: [
      [
        '#1434cb',
        2.4,
        'M6.6 8l2.3 7.3L13.2 8m4 0l-2 8.5M24.3 9.1c-1.3-.7-4.1-.8-4.3.9-.1 1.7 3.3 1.5 3 3.6-.3 2.2-3.2 2.2-4.8 1.2M24.6 16.5l5-8.2 1.9 8.2m-5-2.3h4.5',
      ],
    ],
  },
  mastercard: { ground: WHITE, shapes: discs('#eb001b', '#f79e1b', '#ff5f00') },
  maestro: { ground: WHITE, shapes: discs('#eb001b', '#00a2e5', '#7375cf') },
  amex: {
    ground: '#016fd0',
    lines: [
      [
        WHITE,
        2,
        'M4.5 16.5L7.3 8l2.8 8.5m-4.6-2.5h3.6M13 16.5V9l2.7 4 2.7-4v7.5M25.5 9H21v7h4.5M21 12.5h4M28 8.5l5.5 8m0-8l-5.5 8',
      ],
    ],
  },
  discover: {
    ground: WHITE,
    shapes: [
      ['#f47216', 'M12 23.5c10-1.5 19-5 25.5-9.5v5.5a4 4 0 0 1-4 4z'],
      ['#f47216', 'M16.3 11a2.5 2.5 0 1 1 5 0 2.5 2.5 0 1 1-5 0'],
    ],
    lines: [
      [
        '#16181d',
        1.2,
        'M3.6 9v4c3.4 0 3.4-4 0-4M7.2 8.4v5.2M11 9.3c-.6-.5-2.3-.5-2.3.6 0 1.2 2.5.8 2.5 2.1 0 1.4-2.1 1.3-2.8.6M15.4 9.4c-3.8-1.6-3.8 4.8 0 3.2M21.8 8.4l1.5 4.6 1.5-4.6M29 9h-2.3v4H29m-2.3-2h2M31.2 13.6V9c2.8-.4 2.8 2.5 0 2.2l2.3 2.4',
      ],
    ],
  },
  diners: {
    ground: WHITE,
    shapes: [
      ['#004a97', 'M10 12a9 9 0 1 1 18 0 9 9 0 1 1-18 0'],
      [WHITE, 'M17 6a6.5 6.5 0 0 0 0 12zM21 6v12a6.5 6.5 0 0 0 0-12'],
    ],
  },
  japcb: {
    ground: WHITE,
    shapes: [
      ['#0b5ba8', 'M7 8a4 4 0 0 1 4-4h3v12a4 4 0 0 1-4 4H7z'],
      ['#d6083b', 'M15 8a4 4 0 0 1 4-4h3v12a4 4 0 0 1-4 4h-3z'],
      ['#148a3c', 'M23 8a4 4 0 0 1 4-4h3v12a4 4 0 0 1-4 4h-3z'],
    ],
    lines: [
      [
        WHITE,
        1.5,
        'M12 9v4.5c0 2-3.2 2-3.2 0M20.8 10c-3.6-1.5-3.6 5.5 0 4M24.8 9.7v4.6h2c2.2 0 2.2-2.3 0-2.3h-2 2c2.2 0 2.2-2.3 0-2.3z',
      ],
    ],
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
    lines: [
      [
        '#f79e1b',
        2,
        'M5 8.5v7h2.5c2.5 0 2.5-3.5 0-3.5H5h2.5c2.3 0 2.3-3.5 0-3.5zM12 16.5L15 8l3 8.5m-5-2.5h4M21 16.5V9l5 6.5V7.5M30 7.5v9M35 7.5l-5 5 5 4',
      ],
    ],
  },
  solo: {
    ground: '#b42318',
    lines: [
      [
        WHITE,
        2,
        'M10.5 9.3c-1.5-1.2-4.5-.9-4.5 1 0 2.3 5 1.2 5 3.5 0 2-3.5 2.3-5.2 1M13.5 12a3 3.5 0 1 1 6 0 3 3.5 0 1 1-6 0M23 7.5v8h4M28.5 12a3 3.5 0 1 1 6 0 3 3.5 0 1 1-6 0',
      ],
    ],
  },
  laser: {
    ground: '#0e7c84',
    lines: [
      [
        WHITE,
        1.8,
        'M5 7.5V15.5h3.5M10 16.5L12.7 8l2.7 8.5m-4.5-2.5h3.6M21.3 9.3c-1.3-1-3.8-.7-3.8 1 0 2 4.2 1.2 4.2 3.4 0 2-3 2.1-4.3 1M28 8.9h-3.6v6.7H28m-3.6-3.4h3M31 16.5V9c4-.4 4 3.5 0 3.5l3.5 4',
      ],
    ],
  },
}
