import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { cents } from './gateway-bed.ts'
import type { AtBank, Books, Break, GatewayBed } from './gateway-bed.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Authentication, Gateway } from '../gateway.ts'
import { cresOf } from '../sandbox-bank/bank.ts'
import type { Verdict } from '../sandbox-bank/bank-cards.ts'
import { decide } from '../sandbox-bank/bank-store.ts'
import { encoded, readCreq } from '../sandbox-bank/messages.ts'
import { createSandboxGateway } from '../sandbox-gateway.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const AMOUNTS: Record<Break, string> = { unreachable: '9000.91', lost: '9000.69', unanswered: '9000.68' }
/** The same, of what tells how an authentication has ended. */
const END_AMOUNTS: Record<Break, string> = { unreachable: '9000.63', lost: '9000.62', unanswered: '9000.61' }
const BANK_URL = 'http://bank.example'

const findBooks = testStatement<Books>(
  't_sandbox_books',
  `SELECT CASE state WHEN 'held' THEN amount ELSE 0 END AS held, captured AS taken, refunded
   FROM sandbox_gateway.holds WHERE id = $1`,
)

/** The books of the sandbox on a database. */
export function sandboxBooksOf(database: Database, attemptId: string): Promise<Books[]> {
  return database.run(findBooks, [attemptId])
}

/** What the bank has decided once the card holder has ended its page. */
const VERDICTS: Readonly<Record<AtBank, Verdict>> = {
  passes: { transStatus: 'Y', reason: null },
  fails: { transStatus: 'N', reason: '01' },
  cancels: { transStatus: 'N', reason: null },
}

/** The card holder ends the bank's page; returns what that sends back. */
export async function visitSandboxBank(
  database: Database,
  attemptId: string,
  does: AtBank,
): Promise<{ cres: string }> {
  const row = await decide(database, attemptId, VERDICTS[does], does === 'cancels' ? 'holder' : null)
  if (row === null) throw new Error('the bank does not know this payment')
  return { cres: cresOf(row) }
}

/** The sandbox on a database of its own; amounts break its connection. */
export async function openSandboxBed(): Promise<GatewayBed> {
  const database = await createMigratedDatabase()
  const gateway = createSandboxGateway(database, 60, {
    bankUrl: BANK_URL,
    createReference: () => '123456789012',
  })
  const next: { end: Cents | null } = { end: null }
  return {
    gateway: { ...gateway, authentication: withAmount(gateway, () => next.end) },
    declined: {
      do_not_honour: { card: { expireMonth: 5 } },
      insufficient_funds: { amount: '9000.51' },
      expired_card: { amount: '9000.54' },
      suspected_fraud: { amount: '9000.59' },
    },
    async meeting(kind, send) {
      next.end = cents(END_AMOUNTS[kind])
      const answer = await send(cents(AMOUNTS[kind]))
      next.end = null
      return answer
    },
    booksOf: (attemptId) => sandboxBooksOf(database, attemptId),
    bank: {
      asks: { card: { number: '4970110000001011' } },
      insists: { card: { number: '4970110000004015' } },
      hiddenFrame: { card: { number: '4970110000002027' } },
      async visit(attemptId, _needed, does) {
        return { kind: 'returned', fields: { ...(await visitSandboxBank(database, attemptId, does)) } }
      },
      forged: (_attemptId, { step }) => [
        { kind: 'returned', fields: {} },
        { kind: 'returned', fields: { cres: 'e30' } },
        { kind: 'returned', fields: { cres: step.kind === 'challenge' ? forgedBy(step.creq) : '' } },
      ],
    },
    refusesAtOnce: true,
    close: () => database.close(),
  }
}

/** What a page could make up that has opened the bank's page. */
function forgedBy(creq: string): string {
  return encoded({ ...readCreq(creq), messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y' })
}

/** How an authentication ends, told with another amount while there is one: it breaks the connection. */
function withAmount({ authentication }: Gateway, amount: () => Cents | null): Authentication {
  if (authentication === undefined) throw new Error('the sandbox has no bank')
  const { finish, abandon } = authentication
  return {
    finish: (request) => finish({ ...request, amount: amount() ?? request.amount }),
    abandon: (request) => abandon({ ...request, amount: amount() ?? request.amount }),
  }
}
