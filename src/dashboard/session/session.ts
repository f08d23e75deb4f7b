import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { SESSION_PATH } from '../api/api.ts'
import type { Api } from '../api/api.ts'
import type { Failure } from '../api/failure.ts'

/** Whether somebody is logged in. failed: the service did not say. */
export type SessionState =
  | { kind: 'loading' }
  | { kind: 'logged_out' }
  | { kind: 'logged_in'; view: SessionView }
  | { kind: 'failed'; failure: Failure }

export interface Session {
  state: ReadonlySignal<SessionState>
  /** Asks the service who is logged in. */
  refresh: () => Promise<void>
}

/** Follows the session. Until the first answer, and when the service can't be reached, what was known stays. */
export function createSession(read: Api['read']): Session {
  const state = signal<SessionState>({ kind: 'loading' })
  return {
    state,
    async refresh() {
      const outcome = await read(SESSION_PATH, SessionView)
      if (outcome.kind === 'done') state.value = { kind: 'logged_in', view: outcome.data }
      else if (outcome.failure.code === 'unauthorized') state.value = { kind: 'logged_out' }
      else if (state.value.kind !== 'logged_in') state.value = { kind: 'failed', failure: outcome.failure }
    },
  }
}
