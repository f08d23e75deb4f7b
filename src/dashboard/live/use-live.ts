import { useLayoutEffect, useRef, useEffect, useMemo } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import type { Listener } from './live.ts'
import { createLiveList } from './live-list.ts'
import type { LiveList, LiveListParts } from './live-list.ts'

/** Listens to live events while a component is shown. */
function useLive(listener: Listener): void {
  const { live } = useApp()
  const latest = useRef(listener)
  latest.current = listener
  useLayoutEffect(
    () =>
      live.listen({
        happened: (event) => latest.current.happened(event),
        missed: () => latest.current.missed(),
      }),
    [live],
  )
}

/** How long events are gathered before what they are about is read, in ms. */
const GATHERED_MS = 400

/** Calls `reload` soon after something has happened to one thing, such as a charge, or to its parts. */
export function useLiveReload(isAbout: (subject: string, type: string) => boolean, reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  const soon = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(reload, GATHERED_MS)
  }
  useLive({
    happened: ({ subject, type }) => {
      if (isAbout(subject, type)) soon()
    },
    missed: soon,
  })
}

/** Keeps a list up to date while it is shown. `path`: what the list is read from; a change starts again. */
export function useLiveList<Row>(path: string, parts: LiveListParts<Row>): LiveList {
  const latest = useRef(parts)
  latest.current = parts
  const follower = useMemo(() => createLiveList(() => latest.current), [])
  useLive(follower)
  useEffect(() => follower.forget, [follower, path])
  return follower
}
