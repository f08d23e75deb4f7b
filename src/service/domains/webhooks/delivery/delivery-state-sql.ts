import { sqlConditionFor } from '../../../platform/state-machine.ts'
import { deliveryMoves } from '../webhook.ts'
import type { DeliveryAction, DeliveryState } from '../webhook.ts'

/** The state of a row, as `deliveryStateOf` says it. The index `webhook_deliveries_by_state` has the same words. */
export const STATE =
  "(CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN next_at IS NOT NULL THEN 'waiting' ELSE 'failed' END)"

/** The SQL condition of each state. */
const IN_STATE: Readonly<Record<DeliveryState, string>> = {
  waiting: `(${STATE} = 'waiting')`,
  delivered: `(${STATE} = 'delivered')`,
  failed: `(${STATE} = 'failed')`,
}

/** Whether a row is in a state that takes this action, as SQL. */
export const takes = (action: DeliveryAction): string =>
  sqlConditionFor(deliveryMoves, action, (state) => IN_STATE[state])

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const satisfies readonly DeliveryState[]

interface Newest {
  /** As SQL: the webhook's id, an array of states, and how many deliveries at most. */
  webhook: string
  states: string
  limit: string
  /** Of those that pass this condition. */
  condition: string
}

/**
 * A webhook's deliveries, newest first. Of each state as many are read as may be wanted, from its place in one index: so it takes no
 * longer for a state that hardly any has, or that all have.
 */
export const newestOf = ({ webhook, states, limit, condition }: Newest): string => `
  SELECT found.* FROM unnest(${states}) AS wanted (state) CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries
    WHERE endpoint_id = ${webhook} AND ${STATE} = wanted.state AND ${condition}
    ORDER BY created_at DESC, event_id DESC LIMIT ${limit}
  ) found
  ORDER BY found.created_at DESC, found.event_id DESC LIMIT ${limit}`
