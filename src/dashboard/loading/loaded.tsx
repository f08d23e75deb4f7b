import type { ComponentChildren, VNode } from 'preact'
import { ErrorState } from '../components/feedback/error-state.tsx'
import { Notice } from '../components/feedback/notice.tsx'
import { Skeleton } from '../components/feedback/skeleton.tsx'
import { loadingTexts } from './texts.ts'
import type { Ready, Resource } from './resource.ts'

interface LoadedProps<T> {
  of: Resource<T>
  /** Shown until the first answer. Absent: grey lines. */
  skeleton?: ComponentChildren
  isEmpty?: (data: T) => boolean
  /** Shown in place of empty data. */
  empty?: ComponentChildren
  children: (data: T, state: Ready<T>) => ComponentChildren
}

/**
 * A resource in each of its states: loading, failed with a button to try again, empty, or what `children` makes of it. It is paler while
 * another path's data is awaited, and as it was while the same is read again in the background.
 */
export function Loaded<T>({ of: resource, skeleton, isEmpty, empty, children }: LoadedProps<T>): VNode {
  const state = resource.state.value
  const retry = () => void resource.reload()
  if (state.kind === 'loading') return <div aria-busy="true">{skeleton ?? <Skeleton />}</div>
  if (state.kind === 'failed') return <ErrorState failure={state.failure} retry={retry} />
  return (
    <div class="loaded" aria-busy={state.isOther}>
      {state.failure && (
        <Notice tone="warning">
          {loadingTexts.stale} {state.failure.words}
        </Notice>
      )}
      {isEmpty?.(state.data) === true ? empty : children(state.data, state)}
    </div>
  )
}
