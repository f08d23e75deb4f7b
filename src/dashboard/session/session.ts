import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { inViewOf, SessionView } from '../../contract/dashboard/people/session-view.ts'
import { SESSION_PATH } from '../api/api.ts'
import type { Api, Outcome } from '../api/api.ts'
import type { Failure } from '../api/failure.ts'
import type { Browser } from '../browser.ts'

/** Whether somebody is signed in. failed: the service did not say. */
export type SessionState =
  | { kind: 'loading' }
  | { kind: 'signed_out' }
  | { kind: 'signed_in'; view: SessionView }
  | { kind: 'failed'; failure: Failure }

export interface Session {
  state: ReadonlySignal<SessionState>
  /** Asks the service who is signed in. `before` is called right before what it says is shown. Gives the state until then. */
  refresh: (before?: () => void) => Promise<SessionState>
}

/** Follows the session. Until the first answer, and when the service can't be reached, what was known stays. */
export function createSession(read: Api['read']): Session {
  const state = signal<SessionState>({ kind: 'loading' })
  const show = (outcome: Outcome<SessionView>) => {
    if (outcome.kind === 'done') state.value = { kind: 'signed_in', view: outcome.data }
    else if (outcome.failure.code === 'unauthorized') state.value = { kind: 'signed_out' }
    else if (state.value.kind !== 'signed_in') state.value = { kind: 'failed', failure: outcome.failure }
  }
  return {
    state,
    async refresh(before = () => undefined) {
      const outcome = await read(SESSION_PATH, SessionView)
      const earlier = state.peek()
      batch(() => {
        before()
        show(outcome)
      })
      return earlier
    },
  }
}

/** Whom and what a page shows, as its requests say it; null where nobody is signed in. */
export function inViewIn(state: SessionState): string | null {
  return state.kind === 'signed_in' ? inViewOf(state.view.user.id, state.view.merchant.id) : null
}

/**
 * Calls back as soon as a person comes back to this page, by a change of tabs or by the browser's Back, which may show a page as it was
 * left: the session may have ended elsewhere since. The returned function ends that.
 */
export function watchReturn(
  { window, document }: Pick<Browser, 'window' | 'document'>,
  cameBack: () => void,
): () => void {
  const notice = () => {
    if (document.visibilityState === 'visible') cameBack()
  }
  const noticeIfKept = ({ persisted }: PageTransitionEvent) => {
    if (persisted) notice()
  }
  document.addEventListener('visibilitychange', notice)
  window.addEventListener('pageshow', noticeIfKept)
  return () => {
    document.removeEventListener('visibilitychange', notice)
    window.removeEventListener('pageshow', noticeIfKept)
  }
}
