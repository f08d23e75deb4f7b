import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const hurryCardHolders = testStatement(
  't_hurry_card_holders',
  `UPDATE sandbox_gateway.disputes SET next_at = now() - interval '1 second'
   WHERE next_at IS NOT NULL AND ($1 OR step NOT IN ('open', 'reopened'))`,
)
const makeDue = testStatement(
  't_due_dispute_news',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)

/** The sandbox's card holders do what they do next, and the service hears of it. `untilTooLate`: the time for answers passes, too. */
export async function hearCardHolders(service: TestService, { untilTooLate = false } = {}): Promise<void> {
  await service.database.run(hurryCardHolders, [untilTooLate])
  // Ten at a time.
  for (let run = 0; run < 3; run += 1) await service.runJob('tell of sandbox disputes')
  await service.database.run(makeDue, [])
  await service.runJob('hear gateways')
}

/** A charge whose amount the sandbox's card holder has disputed. */
export async function disputedCharge(service: TestService, amount: string): Promise<ChargeResource> {
  const token = await service.tokenise()
  const charge = chargeOf(await chargeCalls(service).sell({ amount, currency: 'AUD', token }, ''))
  await hearCardHolders(service)
  return charge
}
