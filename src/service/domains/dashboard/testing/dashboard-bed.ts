import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { asking, createTestSessions } from './signed-in.ts'
import type { AskDashboard, TestSessions } from './signed-in.ts'

/** A service with the cookies of an owner, and of a stranger who owns another merchant. */
export interface DashboardBed {
  service: TestService
  sessions: TestSessions
  ask: AskDashboard
  owner: string
  stranger: string
  /** The owner in the audit log. */
  actor: string
  /** The events of the owner's merchant. */
  eventsOfType: (type: string) => Promise<{ actor: string; facts: object }[]>
}

const selectEvents = testStatement<{ actor: string; facts: object }>(
  't_told_of_merchant',
  'SELECT actor, facts FROM event_outbox WHERE merchant_id = $1 AND type = $2',
)

export async function createDashboardBed(): Promise<DashboardBed> {
  const sessions = createTestSessions()
  const service = await createTestService({ findSession: sessions.findSession })
  const merchantId = service.merchant.merchant.id
  const owner = sessions.open({ merchantId })
  return {
    service,
    sessions,
    ask: asking(service),
    owner,
    stranger: sessions.open({ merchantId: (await service.makeMerchant()).merchant.id }),
    actor: `user:${owner.slice(-24)}`,
    eventsOfType: (type) => service.database.run(selectEvents, [merchantId, type]),
  }
}
