import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type * as v from 'valibot'
import type { AnySchema, Change, Outcome } from '../api/api.ts'
import { useApp } from '../app-context.ts'

/** Sends a change, and says whether one is under way. */
export interface Changer {
  isSending: ReadonlySignal<boolean>
  send: <Schema extends AnySchema>(
    change: Omit<Change<Schema>, 'key'>,
  ) => Promise<Outcome<v.InferOutput<Schema>>>
}

/**
 * For one act of a person. While it is unknown whether a request was carried out, the same request is repeated under the
 * same idempotency key, so that it happens once. A different request, or one after an answer, gets a new key.
 */
export function useChange(): Changer {
  const { api, browser } = useApp()
  const isSending = useSignal(false)
  const unknown = useRef<{ request: string; key: string } | null>(null)
  return {
    isSending,
    async send(change) {
      const request = JSON.stringify([change.method, change.path, change.body])
      const key = unknown.current?.request === request ? unknown.current.key : browser.createKey()
      isSending.value = true
      const outcome = await api.change({ ...change, key })
      isSending.value = false
      const isUnknown = outcome.kind === 'failed' && outcome.failure.isUnknown
      unknown.current = isUnknown ? { request, key } : null
      return outcome
    },
  }
}
