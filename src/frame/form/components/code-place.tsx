import type { VNode } from 'preact'

/** A card with the place of its code: on the back beside the strip for signatures, or on the front above the number. */
export function CodePlace({ onFront }: { onFront: boolean }): VNode {
  return (
    <svg class="code-place" viewBox="0 0 38 24" aria-hidden="true" fill="none" stroke="currentColor">
      <rect x=".5" y=".5" width="37" height="23" rx="4" />
      <path stroke-width="4" d={onFront ? 'M5 15.5h20' : 'M0 6.5h38'} />
      <rect class="spot" x={onFront ? 20.5 : 18.5} y={onFront ? 4.5 : 11.5} width="14" height="8" rx="4" />
      <path stroke-dasharray="2" stroke-width="2" d={onFront ? 'M23.5 8.5h8' : 'M22.5 15.5h6'} />
    </svg>
  )
}
