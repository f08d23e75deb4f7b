import type { Filter } from '../../components/data/filters-bar.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import { SCHEME_NAMES } from './scheme-names.ts'
import { chargeTexts, statusTexts } from './texts.ts'

const { filters } = chargeTexts

/** The filters of the list of charges, as they stand in the address. */
export const CHARGE_FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: filters.status,
    options: CHARGE_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
  },
  {
    kind: 'choice',
    name: 'scheme',
    label: filters.scheme,
    options: Object.entries(SCHEME_NAMES).map(([value, words]) => ({ value, words })),
  },
  ...CREATED_FILTERS,
  { kind: 'amount', name: 'amount.from', label: filters.from },
  { kind: 'amount', name: 'amount.to', label: filters.to },
]

/** Names in the address that the service knows by the same names. */
const SAME = ['q', 'status', 'scheme', 'gateway_id', 'amount.from', 'amount.to']

/** Which charges an address asks for, as the service's lists of charges take it. */
export function chargeQuery(query: URLSearchParams, timeZone: string): Record<string, string | null> {
  const same = Object.fromEntries(SAME.map((name) => [name, query.get(name)]))
  return { ...same, ...createdQuery(query, timeZone) }
}
