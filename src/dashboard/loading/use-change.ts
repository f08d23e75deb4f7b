import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type * as v from 'valibot'
import type { AnySchema, Change, Outcome } from '../api/api.ts'
import { isSettledBy, stillUnknown } from '../api/failure.ts'
import { useApp } from '../app-context.ts'

/** Sends a change, and says whether one is under way. */
export interface Changer {
  isSending: ReadonlySignal<boolean>
  send: <Schema extends AnySchema>(
    change: Omit<Change<Schema>, 'key'>,
  ) => Promise<Outcome<v.InferOutput<Schema>>>
}

/**
 * For the acts of a person on a page. Until the service has said what came of a request, the same request is repeated under the same
 * idempotency key, so that it happens once: whatever else was sent in between, and whatever else keeps a repeat from arriving. A
 * different request, or one after an answer, gets a new key.
 */
export function useChange(): Changer {
  const { api, browser } = useApp()
  const isSending = useSignal(false)
  /** By request; `isUnknown`: it may have been carried out. */
  const unsettled = useRef(new Map<string, { key: string; isUnknown: boolean }>()).current
  return {
    isSending,
    async send(change) {
      const request = JSON.stringify([change.method, change.path, change.body])
      const { key, isUnknown } = unsettled.get(request) ?? { key: browser.createKey(), isUnknown: false }
      isSending.value = true
      const outcome = await api.change({ ...change, key })
      isSending.value = false
      if (outcome.kind === 'done' || isSettledBy(outcome.failure)) {
        unsettled.delete(request)
        return outcome
      }
      const { failure } = outcome
      unsettled.set(request, { key, isUnknown: isUnknown || failure.isUnknown })
      return isUnknown && !failure.isUnknown ? { kind: 'failed', failure: stillUnknown(failure) } : outcome
    },
  }
}
