import { useEffect, useMemo, useRef } from 'preact/hooks'
import { createLiveList } from './live-list.ts'
import type { LiveList, LiveListParts } from './live-list.ts'
import { useLive } from './use-live.ts'

/** Follows a list as long as it is shown. `path` is what the list is read by: another one begins anew. */
export function useLiveList<Row>(path: string, parts: LiveListParts<Row>): LiveList {
  const latest = useRef(parts)
  latest.current = parts
  const follower = useMemo(() => createLiveList(() => latest.current), [])
  useLive(follower)
  useEffect(() => follower.forget, [follower, path])
  return follower
}
