import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { cents } from './gateway-bed.ts'
import type { Books, Break, GatewayBed } from './gateway-bed.ts'
import { createSandboxGateway } from '../sandbox-gateway.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const AMOUNTS: Record<Break, string> = { unreachable: '9000.91', lost: '9000.69', unanswered: '9000.68' }

const findBooks = testStatement<Books>(
  't_sandbox_books',
  `SELECT CASE state WHEN 'held' THEN amount ELSE 0 END AS held, captured AS taken, refunded
   FROM sandbox_gateway.holds WHERE id = $1`,
)

/** The books of the sandbox on a database. */
export function sandboxBooksOf(database: Database, attemptId: string): Promise<Books[]> {
  return database.run(findBooks, [attemptId])
}

/** The sandbox on a database of its own; amounts break its connection. */
export async function openSandboxBed(): Promise<GatewayBed> {
  const database = await createMigratedDatabase()
  return {
    gateway: createSandboxGateway(database, 60, { createReference: () => '123456789012' }),
    declined: {
      do_not_honour: { card: { expireMonth: 5 } },
      insufficient_funds: { amount: '9000.51' },
      expired_card: { amount: '9000.54' },
      suspected_fraud: { amount: '9000.59' },
    },
    meeting: (kind, send) => send(cents(AMOUNTS[kind])),
    booksOf: (attemptId) => sandboxBooksOf(database, attemptId),
    refusesAtOnce: true,
    close: () => database.close(),
  }
}
