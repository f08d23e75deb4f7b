import type { Debtor } from '../../../contract/api/agreements/agreement-party.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { PaymentNetwork } from '../payment-network/payment-network.ts'

/** A request is not kept waiting for longer. */
const LONGEST_MS = 10_000

/**
 * Whose account the network knows the debtor's for; null where it does not tell. Throws `debtor_not_found`, or
 * `network_unavailable` while the network does not answer.
 */
export async function resolveDebtor(
  { resolve }: Pick<PaymentNetwork, 'resolve'>,
  { account, pay_id: payId }: Debtor,
): Promise<string | null> {
  const known = account === undefined ? payId && { payId } : { account }
  if (known === undefined) throw new Error('a debtor has an account or a PayID')
  const found = await resolve(known, AbortSignal.timeout(LONGEST_MS))
  if (found.kind === 'found') return found.name
  if (found.kind === 'not_found')
    throw new ServiceError('debtor_not_found', 'The network knows no such account or PayID.')
  throw new ServiceError(
    'network_unavailable',
    'The payment network cannot be reached just now. Nothing was kept; try again in a moment.',
    { retryAfter: 5 },
  )
}
