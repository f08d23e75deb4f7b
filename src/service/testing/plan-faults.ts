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

/** Rows that may be sorted for a page: of a few states or types no more than one page shows of each. */
const MOST_SORTED = 5000

/** A condition that a primary key, or another unique index, finds a row by. */
const ONE_ROW = /\(\(?(?:id|key|request_key|token_hash) = \$/

/**
 * What of a statement's plan (`EXPLAIN (GENERIC_PLAN, FORMAT JSON)`) takes longer the more rows there are: a big table that is read from
 * end to end, a sort of much, and an index that is gone through for a row whose key is known.
 */
export function planFaults(explained: unknown, bigTables: ReadonlySet<string>): string[] {
  const [{ Plan: plan }] = v.parse(Explained, explained)
  return faultsOf(plan, bigTables)
}

function faultsOf(node: PlanNode, bigTables: ReadonlySet<string>): string[] {
  const { 'Relation Name': table = '', 'Node Type': type, Plans: inner = [] } = node
  const faults = inner.flatMap((one) => faultsOf(one, bigTables))
  if (type === 'Seq Scan' && bigTables.has(table)) faults.push(`reads all of ${table}`)
  if (type.endsWith('Sort') && inner.some((input) => input['Plan Rows'] > MOST_SORTED))
    faults.push('sorts much')
  if (bigTables.has(table) && isDetour(node))
    faults.push(`goes through ${node['Index Name'] ?? ''} for one row`)
  return faults
}

/** Whether all of an index is read for a row that its key would find. */
function isDetour({ 'Node Type': type, 'Index Cond': place, Filter: filter = '' }: PlanNode): boolean {
  return type.startsWith('Index') && place === undefined && ONE_ROW.test(filter)
}
