import type { StatusRequest } from '../../../../contract/api/agreements/agreement-status-request.ts'
import { nextState } from '../../../platform/state-machine.ts'
import { agreementMoves } from '../agreement.ts'
import type { Agreement, Reason } from '../agreement.ts'
import type { Day } from '../terms/day.ts'
import { unfulfilled } from './decision.ts'
import type { Decision } from './decision.ts'
import { moved } from './move.ts'

/** What the merchant's action makes of an agreement; throws `unfulfilled_condition` where it can not be done. */
export function decideStatus(agreement: Agreement, request: StatusRequest, today: Day): Decision[] {
  const { action } = request
  if (nextState(agreementMoves, agreement.status, action) === null)
    throw unfulfilled(`The agreement is ${agreement.status}; ${action} is not possible.`)
  const decisions = moved(agreement, { action, by: 'creditor', reason: reasonOf(request), day: today })
  if (decisions.length === 0)
    throw unfulfilled('The debtor suspended the agreement in its bank, and releases it there.')
  return decisions
}

function reasonOf({ reason_code: code, reason }: StatusRequest): Reason | null {
  return code === undefined ? null : { code, text: reason ?? null }
}
