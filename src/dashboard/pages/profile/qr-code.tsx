import { encode } from 'uqr'
import type { VNode } from 'preact'

interface QrCodeProps {
  text: string
  /** What it shows, for screen readers. */
  label: string
}

/** A QR code. Dark on light also in the dark scheme: many cameras read no other. */
export function QrCode({ text, label }: QrCodeProps): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
