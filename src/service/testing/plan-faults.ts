import * as v from 'valibot'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string | undefined
  'Index Name'?: string | undefined
  'Index Cond'?: string | undefined
  Filter?: string | undefined
  'Plan Rows': number
  Plans?: PlanNode[] | undefined
}

const Node: v.GenericSchema<unknown, PlanNode> = v.object({
  'Node Type': v.string(),
  'Relation Name': v.optional(v.string()),
  'Index Name': v.optional(v.string()),
  'Index Cond': v.optional(v.string()),
  Filter: v.optional(v.string()),
  'Plan Rows': v.number(),
  Plans: v.optional(v.array(v.lazy(() => Node))),
})
const Explained = v.tuple([v.object({ Plan: Node })])

/** A condition by which a primary key, or another unique index, finds one row. */
const ONE_ROW = /\(\(?(?:id|key|idempotency_key_hash|token_hash) = \$/

/** The same as a condition of an index scan, where the value may come from another row. */
const ONE_ROW_BY_INDEX = /\(\(?(?:id|key|idempotency_key_hash|token_hash|event_id|charge_id) = /

/** A filter by reference on rows that were found in another way. */
const REFERENCE_LEFT_OVER = /\breference = \$/

/**
 * The parts of a statement's plan (`EXPLAIN (GENERIC_PLAN, FORMAT JSON)`) that take longer the more rows there are: reading all of a
 * big table, sorting an unlimited number of rows, reading through an index for a row whose key is known, and reading through a
 * merchant's rows for a reference.
 */
export function planFaults(explained: unknown, bigTables: ReadonlySet<string>): string[] {
  const [{ Plan: plan }] = v.parse(Explained, explained)
  return faultsOf(plan, bigTables)
}

function faultsOf(node: PlanNode, bigTables: ReadonlySet<string>): string[] {
  const { 'Relation Name': table = '', 'Node Type': type, Plans: inner = [] } = node
  const faults = inner.flatMap((one) => faultsOf(one, bigTables))
  if (type === 'Sort') faults.push(...sortedBy(node, bigTables))
  if (bigTables.has(table)) faults.push(...readingFaults(node, table))
  return faults
}

function readingFaults(node: PlanNode, table: string): string[] {
  const { 'Node Type': type, 'Index Name': index = table, Filter: filter = '' } = node
  const faults: string[] = []
  if (type === 'Seq Scan') faults.push(`reads all of ${table}`)
  if (isDetour(node)) faults.push(`goes through ${index} for one row`)
  if (REFERENCE_LEFT_OVER.test(filter)) faults.push(`goes through ${index} for a reference`)
  return faults
}

const sortedBy = (sort: PlanNode, bigTables: ReadonlySet<string>): string[] =>
  (sort.Plans ?? [])
    .flatMap(unlimited)
    .filter((table) => bigTables.has(table))
    .map((table) => `sorts ${table}`)

/** The tables of which a part of a plan may return any number of rows: without a `LIMIT` in between, or a key that finds one row. */
function unlimited(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Cond': place = '', Plans: inner = [] } = node
  if (type === 'Limit' || ONE_ROW_BY_INDEX.test(place)) return []
  return [...(table === undefined ? [] : [table]), ...inner.flatMap(unlimited)]
}

/** Whether a whole index is read for a row that its key would find. */
function isDetour({ 'Node Type': type, 'Index Cond': place, Filter: filter = '' }: PlanNode): boolean {
  return type.startsWith('Index') && place === undefined && ONE_ROW.test(filter)
}
