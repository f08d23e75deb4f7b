import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import type { Shortcut } from './shortcuts.ts'

/** Shortcuts that work from the moment a component is shown. Their keys and words stay the same; `run` may change. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { add } = useApp().shortcuts
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useLayoutEffect(
    () =>
      add(
        latest.current.map((shortcut, index) => ({ ...shortcut, run: () => latest.current[index]?.run() })),
      ),
    [add],
  )
}
