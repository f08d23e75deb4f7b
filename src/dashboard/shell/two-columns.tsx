import type { ComponentChildren, VNode } from 'preact'
import './two-columns.css'

interface TwoColumnsProps {
  /** What a person has come for. */
  main: ComponentChildren
  /** What is to be looked up beside it; below it on a narrow screen. */
  aside: ComponentChildren
}

/** A page about one thing, such as a charge. */
export function TwoColumns({ main, aside }: TwoColumnsProps): VNode {
  return (
    <div class="two-columns">
      <div>{main}</div>
      <div>{aside}</div>
    </div>
  )
}
