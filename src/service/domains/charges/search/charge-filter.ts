import * as v from 'valibot'
import { chargeFilterEntries } from '../../../../contract/dashboard/payments/charge-list.ts'
import { positionOf } from '../../../platform/listing/cursor.ts'
import { pageEntries } from '../../../platform/listing/page-query.ts'
import type { Window } from '../../../platform/listing/page-query.ts'
import type { ChargeStatus } from '../charge.ts'

/** What a charge must be to be listed; null: anything. */
export interface ChargeFilter {
  status: ChargeStatus | null
  scheme: string | null
  gatewayId: string | null
  /** In cents, both included. */
  amountFrom: number | null
  amountTo: number | null
}

/** Which of a merchant's charges are asked for, newest first. */
export interface ChargeSearch extends ChargeFilter, Window {
  /** What was typed into the search; null: everything. */
  q: string | null
}

export const NO_FILTER: ChargeFilter = {
  status: null,
  scheme: null,
  gatewayId: null,
  amountFrom: null,
  amountTo: null,
}

const { limit, cursor, 'created_at.from': from, 'created_at.to': to } = pageEntries
const searchEntries = { ...chargeFilterEntries, 'created_at.from': from, 'created_at.to': to }

/** Query of `GET /api/charges`. */
export const SearchQuery = v.strictObject({ ...searchEntries, limit, cursor })

/** The filters of a query of `GET /api/charges.csv`. */
export const exportFilterEntries = searchEntries

type Filters = v.InferOutput<v.StrictObjectSchema<typeof searchEntries, undefined>>

export function toSearch(query: Filters & { cursor?: string | undefined }): ChargeSearch {
  return {
    q: query.q ?? null,
    status: query.status ?? null,
    scheme: query.scheme ?? null,
    gatewayId: query.gateway_id ?? null,
    amountFrom: query['amount.from'] ?? null,
    amountTo: query['amount.to'] ?? null,
    from: query['created_at.from'] ?? null,
    to: query['created_at.to'] ?? null,
    after: positionOf(query.cursor ?? ''),
  }
}
