import type { DeclineReason } from '../gateway.ts'

interface Meaning {
  description: string
  /** Null approves. */
  reason: DeclineReason | null
}

/** The response codes that the sandbox gives (ISO 8583:1987, field 39; 79 is the sandbox's own). */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '00': { description: 'Approved', reason: null },
  '05': { description: 'Do not honour', reason: 'do_not_honour' },
  '12': { description: 'Invalid transaction', reason: 'invalid_transaction' },
  '13': { description: 'Invalid amount', reason: 'invalid_transaction' },
  '51': { description: 'Insufficient funds', reason: 'insufficient_funds' },
  '54': { description: 'Expired card', reason: 'expired_card' },
  '59': { description: 'Suspected fraud', reason: 'suspected_fraud' },
  '79': { description: 'Authorisation expired', reason: 'authorisation_expired' },
}

/** What a response code means; an unlisted one is a refusal. */
export function meaningOf(code: string): Meaning {
  return MEANINGS[code] ?? { description: 'Declined', reason: 'do_not_honour' }
}
