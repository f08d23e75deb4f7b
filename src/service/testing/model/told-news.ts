import * as v from 'valibot'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import { isDone, saleOf } from '../../domains/charges/charge.ts'
import type { AttemptType, Charge, MovementType } from '../../domains/charges/charge.ts'
import type { News } from '../../domains/gateways/gateway.ts'
import { keepNews } from '../../domains/notifications/notification-store.ts'
import { testStatement } from '../test-statement.ts'
import type { TestService } from '../test-service.ts'
import { refundedOf, statusOf, takenOf } from './model-charge.ts'
import type { ModelCharge, Status } from './model-charge.ts'
import type { ToldMove } from './operation.ts'

/** The sandbox has what it tells in its own books. */
const moveHold = testStatement(
  'model_move_hold',
  'UPDATE sandbox_gateway.holds SET state = $2, captured = $3, refunded = $4 WHERE id = $1',
)
/** Kept to the millisecond, it may be due a moment after it was kept. */
const makeDue = testStatement(
  'model_make_due',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)
const forgetWaiting = testStatement(
  'model_forget_waiting',
  `DELETE FROM gateway_notifications WHERE state <> 'done'`,
)

/**
 * Has the gateway tell something of a charge, and the service hear it. `now`: the model's charge where that changes it: then the sandbox's own
 * books have the change too. News that does not fit is forgotten, where it would wait.
 */
export async function tellOf(
  { database, runJob }: TestService,
  charge: Charge,
  { what, cents, now }: { what: ToldMove; cents: number; now: ModelCharge | null },
): Promise<void> {
  const news = newsOf(charge, what, cents)
  if (news === null) return
  if (now !== null) await database.run(moveHold, [saleOf(charge).id, ...holdOf(now)])
  const { gatewayId, merchantId } = charge
  await keepNews(database, news.key, { gatewayId, merchantId, gatewayType: 'sandbox' }, news)
  await database.run(makeDue, [])
  await runJob('hear gateways')
  await database.run(forgetWaiting, [])
}

let told = 0

/** The news that says it; none where the charge has nothing that it can be about. */
function newsOf(charge: Charge, what: ToldMove, cents: number): News | null {
  const own = (type: AttemptType) =>
    charge.attempts.findLast((one) => one.type === type && one.reason === null && isDone(charge, one))
  const sale = saleOf(charge)
  told += 1
  const key = String(told).padStart(24, '0')
  const fixed = { key, name: what, at: new Date(0), attemptId: null, saleId: sale.externalId, sent: null }
  const about = { externalId: key, amount: v.parse(CentsLeft, cents), currency: charge.currency }
  const movement = (type: MovementType, isCarriedOut: boolean): News['says'] => ({
    ...{ kind: 'movement', type, isDone: isCarriedOut, wasAccepted: true },
    ...{ code: what, description: what, holdSeconds: 0 },
  })
  const failed = (type: MovementType): News | null => {
    const attempt = own(type === 'capture' && !charge.preAuth ? 'sale' : type)
    if (attempt === undefined) return null
    const { externalId, amount } = attempt
    return {
      ...fixed,
      ...about,
      attemptId: attempt.id,
      externalId: externalId ?? '',
      amount,
      says: movement(type, false),
    }
  }
  switch (what) {
    case 'capture failed':
      return failed('capture')
    case 'refund failed':
      return failed('refund')
    case 'cancel refused':
      return failed('cancel')
    case 'hold gone':
      return { ...fixed, ...about, says: { kind: 'hold_ended' } }
    case 'captured by hand':
      return charge.preAuth ? { ...fixed, ...about, says: movement('capture', true) } : null
    case 'cancelled by hand':
      return { ...fixed, ...about, says: movement('cancel', true) }
    case 'refunded by hand':
      return { ...fixed, ...about, says: movement('refund', true) }
  }
}

/** State, captured and refunded of a charge's hold at the gateway. */
function holdOf(charge: ModelCharge): [string, number, number] {
  const states: Partial<Record<Status, string>> = {
    pending: 'held',
    complete: 'captured',
    refunded: 'captured',
  }
  return [states[statusOf(charge)] ?? 'voided', takenOf(charge), refundedOf(charge)]
}
