import type { VNode } from 'preact'
import type { Scheme } from '../card/scheme.ts'

interface Drawing {
  ground: string
  marks: VNode
}

const letters = (text: string, fill: string, style: 'italic' | 'normal' = 'normal') => (
  <text x="19" y="16" fill={fill} font-size="11" font-weight="800" font-style={style} text-anchor="middle">
    {text}
  </text>
)
const discs = (left: string, right: string) => (
  <>
    <circle cx="15" cy="12" r="7" fill={left} />
    <circle cx="23" cy="12" r="7" fill={right} fill-opacity=".85" />
  </>
)
const panels = (...colours: string[]) =>
  colours.map((colour, index) => (
    <rect key={colour} x={8 + index * 7.5} y="5" width="7" height="14" rx="2.5" fill={colour} />
  ))

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  visa: { ground: '#1a1f71', marks: letters('VISA', '#fff', 'italic') },
  mastercard: { ground: '#16181d', marks: discs('#eb001b', '#f79e1b') },
  maestro: { ground: '#16181d', marks: discs('#0099df', '#ed0006') },
  amex: { ground: '#016fd0', marks: letters('AMEX', '#fff') },
  discover: { ground: '#fff', marks: discs('#16181d', '#ef7d1a') },
  diners: {
    ground: '#fff',
    marks: (
      <>
        <circle cx="19" cy="12" r="8.5" fill="#0a4a97" />
        <path d="M17 6.5a6 6 0 0 0 0 11zM21 6.5a6 6 0 0 1 0 11z" fill="#fff" />
      </>
    ),
  },
  japcb: { ground: '#fff', marks: <>{panels('#0b5ba8', '#d6083b', '#148a3c')}</> },
  unionpay: { ground: '#fff', marks: <>{panels('#d7182a', '#0b4a80', '#0e7c84')}</> },
}

const UNKNOWN: Drawing = {
  ground: 'none',
  marks: <path d="M1 8h36M6 17h9" stroke="currentColor" stroke-width="2" fill="none" />,
}

/** The scheme of the card as a small picture; an empty card while it is unknown. */
export function SchemeIcon({ scheme }: { scheme: Scheme | null }): VNode {
  const { ground, marks } = DRAWINGS[scheme?.name ?? ''] ?? UNKNOWN
  return (
    <svg class="scheme" viewBox="0 0 38 24" role="img" aria-label={scheme?.label ?? 'Card'}>
      <rect
        x=".5"
        y=".5"
        width="37"
        height="23"
        rx="4"
        fill={ground}
        stroke="currentColor"
        stroke-opacity=".35"
      />
      {marks}
    </svg>
  )
}
