import type { VNode } from 'preact'

/** A drawing in few characters: its ground, then shapes as `kind colour …numbers or text`. */
type Drawing = [ground: string, ...shapes: string[]]

const DARK = '#16181d'
const WHITE = '#fff'

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  visa: ['#1a1f71', 'italic #fff VISA'],
  mastercard: [DARK, 'disc #eb001b 15', 'disc #f79e1b 23'],
  maestro: [DARK, 'disc #0099df 15', 'disc #ed0006 23'],
  amex: ['#016fd0', 'text #fff AMEX'],
  discover: [WHITE, 'disc #16181d 15', 'disc #ef7d1a 23'],
  diners: [WHITE, 'disc #0a4a97 19', 'path #fff M17 6.5a6 6 0 0 0 0 11zM21 6.5a6 6 0 0 1 0 11z'],
  japcb: [WHITE, 'panel #0b5ba8 8', 'panel #d6083b 15.5', 'panel #148a3c 23'],
  unionpay: [WHITE, 'panel #d7182a 8', 'panel #0b4a80 15.5', 'panel #0e7c84 23'],
  ausbc: [WHITE, 'path #0a3d7a M9 6h9v12H9z', 'path #f2a900 M19 6h10l-5 12h-5z'],
  solo: ['#e8452c', 'text #fff SOLO'],
  laser: [WHITE, 'path #c8102e M6 6h26l-4 3H6z', 'path #0b4a80 M6 11h20l-4 3H6zM6 16h14l-3 2H6z'],
}

const UNKNOWN: Drawing = ['none', 'path currentColor M1 7h36v3H1zM6 16h9v2H6z']

interface SchemeIconProps {
  name: string
  label: string
}

/** A scheme as a small picture, drawn for this form; an empty card for one that has none. */
export function SchemeIcon({ name, label }: SchemeIconProps): VNode {
  const [ground, ...shapes] = DRAWINGS[name] ?? UNKNOWN
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
        stroke-opacity=".35"
      />
      {shapes.map(shapeOf)}
    </svg>
  )
}

function shapeOf(shape: string): VNode {
  const [kind, fill, ...rest] = shape.split(' ')
  const [x = ''] = rest
  switch (kind) {
    case 'disc':
      return <circle key={shape} cx={x} cy="12" r="7.5" fill={fill} fill-opacity=".92" />
    case 'panel':
      return <rect key={shape} x={x} y="5" width="7" height="14" rx="2.5" fill={fill} />
    case 'path':
      return <path key={shape} d={rest.join(' ')} fill={fill} />
    default:
      return (
        <text
          key={shape}
          x="19"
          y="16"
          fill={fill}
          font-size="11"
          font-weight="800"
          font-style={kind}
          text-anchor="middle"
        >
          {x}
        </text>
      )
  }
}
