import type { ReadonlySignal } from '@preact/signals'
import { ChargePage } from '../../../contract/dashboard/charge-list.ts'
import type { ChargeSummary } from '../../../contract/dashboard/charge-list.ts'
import { useApp } from '../../app-context.ts'
import { useLiveList } from '../../live/use-live-list.ts'
import type { Resource } from '../../loading/resource.ts'
import { useResource } from '../../loading/use-resource.ts'
import { pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import { chargeQuery } from './charge-query.ts'

const PATH = '/api/charges'

/** The charges that the address asks for. */
interface Charges {
  list: Resource<ChargeSummary[]>
  isFiltered: boolean
  /** Where the same charges are to be had as a file. */
  exportHref: string
  newRows: ReadonlySignal<number>
  showNew: () => void
}

/** Reads the charges that the address asks for, and follows what happens to them. */
export function useCharges(): Charges {
  const { api, router } = useApp()
  const { time_zone } = useView()
  const { query } = router.place.value
  const filters = chargeQuery(query, time_zone)
  const cursor = query.get('cursor')
  const path = pathWith(PATH, { ...filters, cursor })
  const list = useResource(path, ChargePage)
  const read = async (from: string) => {
    const outcome = await api.read(from, ChargePage)
    return outcome.kind === 'done' ? outcome.data : null
  }
  const { newRows, forget } = useLiveList(path, {
    list,
    idOf: ({ id }) => id,
    isAbout: ({ type }) => type.startsWith('charge.'),
    readFirst: cursor === null ? () => read(path) : null,
    readOne: async (id) => (await read(pathWith(PATH, { q: id })))?.[0] ?? null,
  })
  return {
    list,
    isFiltered: Object.values(filters).some((value) => value !== null),
    exportHref: pathWith('/api/charges.csv', { ...filters, time_zone }),
    newRows,
    showNew: () => {
      forget()
      void list.reload()
    },
  }
}
