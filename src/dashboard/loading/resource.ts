import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { Outcome } from '../api/api.ts'
import type { Failure } from '../api/failure.ts'

/** What is known of something that the service is asked for. */
export type ResourceState<T> = { kind: 'loading' } | { kind: 'failed'; failure: Failure } | Ready<T>

export interface Ready<T> {
  kind: 'ready'
  data: T
  /** The cursor of a list's next page. */
  next: string | null
  etag: string | null
  /** Whether the service is being asked again, also for another page or filter of a list. */
  isReloading: boolean
  /** Whether what is shown is another path's than the one that is asked for, such as another filter's. */
  isOther: boolean
  /** Why the last reload failed, though what was read before is still shown. */
  failure: Failure | null
}

/** Something that the service is asked for. */
export interface Resource<T> {
  state: ReadonlySignal<ResourceState<T>>
  /** Asks for a path of the API; until its answer, what is known stays. */
  open: (path: string) => Promise<void>
  /** Asks for the same path again. */
  reload: () => Promise<void>
  /** Replaces what was read by the answer of a change. */
  replace: (data: T) => void
  /** Changes the data that is shown, if there is any. */
  revise: (change: (data: T) => T) => void
  /** Ends a request that is under way. */
  stop: () => void
}

/** Creates a resource. Only the answer to the last question counts. */
export function createResource<T>(
  read: (path: string, signal: AbortSignal) => Promise<Outcome<T>>,
): Resource<T> {
  const state = signal<ResourceState<T>>({ kind: 'loading' })
  let asking = new AbortController()
  let asked = ''
  let shown = ''
  async function open(path: string) {
    asking.abort()
    const mine = (asking = new AbortController())
    asked = path
    const before = state.value
    state.value =
      before.kind === 'ready'
        ? { ...before, isReloading: true, isOther: path !== shown }
        : { kind: 'loading' }
    const outcome = await read(path, mine.signal)
    if (mine.signal.aborted) return
    state.value = outcome.kind === 'done' ? readyWith(outcome) : failedWith(outcome.failure, path)
    shown = path
  }
  const failedWith = (failure: Failure, path: string): ResourceState<T> => {
    const before = state.value
    const isSame = before.kind === 'ready' && path === shown
    return isSame ? { ...before, isReloading: false, isOther: false, failure } : { kind: 'failed', failure }
  }
  return {
    state,
    open,
    reload: () => open(asked),
    replace: (data) => {
      const before = state.value
      const rest =
        before.kind === 'ready' ? before : { next: null, etag: null, isReloading: false, isOther: false }
      state.value = { ...rest, kind: 'ready', data, failure: null }
    },
    revise: (change) => {
      const before = state.value
      if (before.kind === 'ready') state.value = { ...before, data: change(before.data) }
    },
    stop: () => asking.abort(),
  }
}

function readyWith<T>({ data, next, etag }: { data: T; next: string | null; etag: string | null }): Ready<T> {
  return { kind: 'ready', data, next, etag, isReloading: false, isOther: false, failure: null }
}
