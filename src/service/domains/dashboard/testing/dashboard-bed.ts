import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { asking, createTestSessions } from './signed-in.ts'
import type { AskDashboard, TestSessions } from './signed-in.ts'

/** A service whose dashboard an owner is signed in to, and a stranger: the owner of another merchant. Both are cookies. */
export interface DashboardBed {
  service: TestService
  sessions: TestSessions
  ask: AskDashboard
  owner: string
  stranger: string
  /** Who the owner is in the audit log. */
  actor: string
  /** The events of a type that the owner's merchant has. */
  toldOf: (type: string) => Promise<{ actor: string; facts: object }[]>
}

const told = testStatement<{ actor: string; facts: object }>(
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
    toldOf: (type) => service.database.run(told, [merchantId, type]),
  }
}
