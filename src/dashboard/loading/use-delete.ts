import * as v from 'valibot'
import type { Failure } from '../api/failure.ts'
import { useApp } from '../app-context.ts'
import { useChange } from './use-change.ts'

interface Deletion {
  /** Of the API. */
  path: string
  /** Reads again what is shown, once it is deleted. */
  refresh: () => Promise<unknown>
  /** The toast after that. */
  done: string
}

/** Deletes something, as a `ConfirmDialog` asks for it: resolves with null, or with the failure that the dialog shows. */
export function useDelete(): (deletion: Deletion) => Promise<Failure | null> {
  const { toasts } = useApp()
  const { send } = useChange()
  return async ({ path, refresh, done }) => {
    const outcome = await send({ method: 'DELETE', path, answer: v.unknown() })
    if (outcome.kind === 'failed') return outcome.failure
    await refresh()
    toasts.show(done)
    return null
  }
}
