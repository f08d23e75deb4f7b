import type { TestService } from './test-service.ts'
import { testStatement } from './test-statement.ts'

const addEvent = testStatement(
  'test_add_event',
  `INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts) VALUES ($1, $2, $3, $4, 'service', '{}')`,
)

/** Writes an event of the test service's own merchant, as a change of `subject` would; it is not sealed yet. */
export async function writeTestEvent(
  { database, merchant }: TestService,
  { id, type, subject }: { id: string; type: string; subject: string },
): Promise<void> {
  await database.run(addEvent, [id, merchant.merchant.id, type, subject])
}
