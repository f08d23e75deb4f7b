import { useLayoutEffect, useRef, useEffect, useMemo } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import type { Listener } from './live.ts'
import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { LiveEvent } from '../../contract/dashboard/live-event.ts'
import type { Resource } from '../loading/resource.ts'

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

/** How long events are gathered before what they are about is read, and from one reading to the next at least, in ms. */
const GATHERED_MS = 100
const SPACING_MS = 500

interface Gathering {
  /** Something has happened: `work` runs soon. */
  soon: () => void
  forget: () => void
}

/**
 * Runs `work` soon after something has happened, once for all that happens meanwhile, and never twice at once. Where things happen all
 * the time it runs every `SPACING_MS`.
 */
function createGathering(work: () => Promise<void>): Gathering {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWorking = false
  let isDue = false
  let lastAt = -Infinity
  function run(): void {
    timer = undefined
    isDue = false
    isWorking = true
    lastAt = Date.now()
    void work().finally(() => {
      isWorking = false
      if (isDue) soon()
    })
  }
  function soon(): void {
    isDue = true
    if (isWorking) return
    timer ??= setTimeout(run, Math.max(GATHERED_MS, lastAt + SPACING_MS - Date.now()))
  }
  return {
    soon,
    forget() {
      clearTimeout(timer)
      timer = undefined
      isDue = false
    },
  }
}

/** Calls `reload` soon after something has happened to one thing, such as a charge, or to its parts. */
export function useLiveReload(
  isAbout: (subject: string, type: string) => boolean,
  reload: () => void | Promise<void>,
): void {
  const latest = useRef(reload)
  latest.current = reload
  const gathering = useMemo(() => createGathering(async () => latest.current()), [])
  useLayoutEffect(() => gathering.forget, [gathering])
  useLive({
    happened: ({ subject, type }) => {
      if (isAbout(subject, type)) gathering.soon()
    },
    missed: gathering.soon,
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

/** How a list reads what has changed. */
interface LiveListParts<Row> {
  list: Resource<Row[]>
  idOf: (row: Row) => string
  /** Whether an event is about a row of such a list. */
  isAbout: (event: LiveEvent) => boolean
  /** The first page by the filters that are set, as it is now; null where new rows are not to be told, as on later pages. */
  readFirst: (() => Promise<Row[] | null>) | null
  /** One row as it is now; null if that can't be read. */
  readOne: (id: string) => Promise<Row | null>
}

/** Keeps the rows of a list up to date without moving them, and counts those that would be new in it. */
interface LiveList extends Listener {
  newRows: ReadonlySignal<number>
  /** Starts again: another page or filter is shown, or the new rows were. */
  forget: () => void
}

/** Creates the follower of a list. `parts` returns how the list is read at the moment. */
export function createLiveList<Row>(parts: () => LiveListParts<Row>): LiveList {
  const newRows = signal(0)
  let subjects = new Set<string>()
  /** Counts the lists that were shown: answers for an earlier one are ignored. */
  let shownLists = 0
  const gathering = createGathering(async () => {
    const asked = subjects
    subjects = new Set()
    await readAgain(asked)
  })
  async function readAgain(asked: ReadonlySet<string>): Promise<void> {
    const before = shownLists
    const { list, idOf, readFirst, readOne } = parts()
    const first = readFirst === null ? null : await readFirst()
    const isKnown = new Set(first?.map(idOf))
    const others = rowsOf(list)
      .map(idOf)
      .filter((id) => asked.has(id) && !isKnown.has(id))
    const read = await Promise.all(others.map((id) => readOne(id)))
    if (before !== shownLists) return
    const now = new Map(
      [...(first ?? []), ...read.filter((row) => row !== null)].map((row) => [idOf(row), row]),
    )
    batch(() => {
      list.revise((rows) => rows.map((row) => now.get(idOf(row)) ?? row))
      if (first !== null) newRows.value = newAmong(first.map(idOf), rowsOf(list).map(idOf))
    })
  }
  const forget = () => {
    gathering.forget()
    subjects = new Set()
    shownLists += 1
    newRows.value = 0
  }
  return {
    newRows,
    happened(event) {
      if (!parts().isAbout(event)) return
      subjects.add(event.subject)
      gathering.soon()
    },
    missed: () => void parts().list.reload(),
    forget,
  }
}

function rowsOf<Row>({ state }: Resource<Row[]>): Row[] {
  return state.value.kind === 'ready' ? state.value.data : []
}

/** How many rows of a first page come before all rows that are shown. */
function newAmong(first: readonly string[], shown: readonly string[]): number {
  const at = first.findIndex((id) => shown.includes(id))
  return at === -1 ? first.length : at
}
