import type { VNode } from 'preact'

/** Icons in short form: background colour, then the colours of two discs or three bars, or a text colour and text. */
const DRAWINGS: Readonly<Record<string, string>> = {
  visa: '#1a1f71 #fff VISA',
  mastercard: '#16181d #eb001b #f79e1b',
  maestro: '#16181d #0099df #ed0006',
  amex: '#016fd0 #fff AMEX',
  discover: '#fff #16181d #ef7d1a',
  diners: '#0a4a97 #fff DINERS',
  japcb: '#fff #0b5ba8 #d6083b #148a3c',
  unionpay: '#fff #d7182a #0b4a80 #0e7c84',
  ausbc: '#0a4a97 #f79e1b BANK',
  solo: '#b42318 #fff SOLO',
  laser: '#0e7c84 #fff LASER',
}

const UNKNOWN = 'none currentColor ••••'

interface SchemeIconProps {
  name: string
  label: string
}

/** The icon of a card scheme; a card with dots for an unknown scheme. */
export function SchemeIcon({ name, label }: SchemeIconProps): VNode {
  const [ground = '', ...marks] = (DRAWINGS[name] ?? UNKNOWN).split(' ')
  const [fill = '', text = ''] = marks
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
      {text.startsWith('#') ? (
        marks.map((colour, index) => (
          <Bar key={colour} colour={colour} index={index} wide={marks.length === 2} />
        ))
      ) : (
        <text
          x="19"
          y="16"
          fill={fill}
          font-size={text.length > 4 ? 8.5 : 11}
          font-weight="800"
          text-anchor="middle"
        >
          {text}
        </text>
      )}
    </svg>
  )
}

function Bar({ colour, index, wide }: { colour: string; index: number; wide: boolean }): VNode {
  return wide ? (
    <circle cx={15 + index * 8} cy="12" r="7.5" fill={colour} fill-opacity=".92" />
  ) : (
    <rect x={8 + index * 7.5} y="5" width="7" height="14" rx="2.5" fill={colour} />
  )
}
