import type { ComponentChildren, VNode } from 'preact'
import './facts.css'

interface FactsProps {
  /** Names and values; a row without a value is left out. */
  facts: readonly (readonly [name: string, value: ComponentChildren])[]
}

/** What is known of one thing, as names and values. */
export function Facts({ facts }: FactsProps): VNode {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
