import { useSignalEffect } from '@preact/signals'
import { useApp } from '../app-context.ts'
import { safeReturn } from '../router/router.ts'

/** Leaves a page for people who are not logged in as soon as somebody is, for `next` or the first page. */
export function useEnter(next: string | null): void {
  const { session, router, browser } = useApp()
  useSignalEffect(() => {
    if (session.state.value.kind !== 'logged_in') return
    router.go(safeReturn(next, browser.window.location.origin), { replace: true })
  })
}
