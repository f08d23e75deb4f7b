import type { ReadonlySignal } from '@preact/signals'
import type * as v from 'valibot'
import type { LiveEvent } from '../../contract/dashboard/live-event.ts'
import type { AnySchema } from '../api/api.ts'
import { useApp } from '../app-context.ts'
import { useLiveList } from '../live/use-live.ts'
import type { Resource } from '../loading/resource.ts'
import { useResource } from '../loading/use-resource.ts'
import { pathWith } from '../router/query.ts'

interface ListParts<Row> {
  /** The list's path of the API. */
  path: string
  /** What the list is asked for, from the address; null where a filter is not set. */
  filters: Readonly<Record<string, string | null>>
  /** The schema of the answer, a constant. */
  schema: v.GenericSchema<unknown, Row[]>
  idOf: (row: Row) => string
  /** Whether an event is about a row of the list. */
  isAbout: (event: LiveEvent) => boolean
  /** One row as it is now, by `read`; null if it can't be read. */
  readOne: (id: string, read: ReadData) => Promise<Row | null>
}

/** Data of a path of the API; null if it can't be read. */
export type ReadData = <Schema extends AnySchema>(
  path: string,
  schema: Schema,
) => Promise<v.InferOutput<Schema> | null>

/** A list that the address asks for, which follows what happens. */
export interface ListState<Row> {
  list: Resource<Row[]>
  idOf: (row: Row) => string
  isFiltered: boolean
  newRows: ReadonlySignal<number>
  showNew: () => void
}

/** Reads the page of a list that the address asks for, keeps its rows up to date, and counts new ones. */
export function useList<Row>(parts: ListParts<Row>): ListState<Row> {
  const { filters, schema, idOf, isAbout } = parts
  const { api, router } = useApp()
  const cursor = router.place.value.query.get('cursor')
  const path = pathWith(parts.path, { ...filters, cursor })
  const list = useResource(path, schema)
  const read: ReadData = async (from, answer) => {
    const outcome = await api.read(from, answer)
    return outcome.kind === 'done' ? outcome.data : null
  }
  const { newRows, forget } = useLiveList(path, {
    list,
    idOf,
    isAbout,
    readFirst: cursor === null ? () => read(path, schema) : null,
    readOne: (id) => parts.readOne(id, read),
  })
  return {
    list,
    idOf,
    isFiltered: Object.values(filters).some((value) => value !== null),
    newRows,
    showNew: () => {
      forget()
      void list.reload()
    },
  }
}
