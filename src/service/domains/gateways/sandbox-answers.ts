import type { DeclineReason, GatewayAnswer } from './gateway.ts'
import { resultOf } from './sandbox-bank/bank.ts'
import type { BankRow } from './sandbox-bank/bank-store.ts'
import type { Entry } from './sandbox-ledger.ts'

/** What the sandbox answers for certain. */
export type KnownAnswer = Extract<GatewayAnswer, { kind: 'approved' | 'declined' }> | { kind: 'not_received' }

/** What the sandbox answers by an entry of its books; `row`: the authentication of a sale that had one. */
export function answerOf(
  entry: Entry,
  { holdSeconds, row = null }: { holdSeconds: number; row?: BankRow | null },
): KnownAnswer {
  if (entry.result === 'not_received') return { kind: 'not_received' }
  const { description, reason } = meaningOf(entry.response_code)
  const answered = {
    code: entry.response_code,
    description,
    externalId: entry.hold_id,
    externalReference: entry.reference,
    ...(row !== null && { authentication: resultOf(row) }),
  }
  if (reason === null) return { ...answered, kind: 'approved', holdSeconds }
  const left =
    row?.cancelled_by === 'holder' ? 'cancelled' : row?.cancelled_by === 'time' ? 'timed_out' : null
  return { ...answered, kind: 'declined', reason, ...(left !== null && { left }) }
}

interface Meaning {
  description: string
  /** Null approves. */
  reason: DeclineReason | null
}

/** The response codes that the sandbox gives (ISO 8583:1987, field 39; 1A is Visa's; 79 to 81 are the sandbox's own). */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '00': { description: 'Approved', reason: null },
  '05': { description: 'Do not honour', reason: 'do_not_honour' },
  '12': { description: 'Invalid transaction', reason: 'invalid_transaction' },
  '13': { description: 'Invalid amount', reason: 'invalid_transaction' },
  '51': { description: 'Insufficient funds', reason: 'insufficient_funds' },
  '54': { description: 'Expired card', reason: 'expired_card' },
  '59': { description: 'Suspected fraud', reason: 'suspected_fraud' },
  '1A': { description: 'Authentication required', reason: 'authentication_required' },
  '79': { description: 'Authorisation expired', reason: 'authorisation_expired' },
  '80': { description: 'Authentication failed', reason: 'authentication_failed' },
  '81': { description: 'Card holder not authenticated', reason: 'not_authenticated' },
}

/** What a response code means; an unlisted one declines. */
function meaningOf(code: string): Meaning {
  return MEANINGS[code] ?? { description: 'Declined', reason: 'do_not_honour' }
}
