import type { ComponentChildren, VNode } from 'preact'
import './title-with-state.css'

interface TitleWithStateProps {
  children: ComponentChildren
  /** A badge. */
  state: ComponentChildren
}

/** The title of a page about one thing, with the state that it is in. */
export function TitleWithState({ children, state }: TitleWithStateProps): VNode {
  return (
    <span class="title-with-state">
      <span>{children}</span>
      {state}
    </span>
  )
}
