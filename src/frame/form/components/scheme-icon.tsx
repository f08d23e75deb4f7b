import type { VNode } from 'preact'
import { SCHEME_DRAWINGS } from './scheme-drawings.ts'
import type { SchemeDrawing } from './scheme-drawings.ts'

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
