import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import type { IntentPaymentStore } from './intent-payment-store.ts'
import type { IntentStore } from './intent-store.ts'
import type { Intent } from './intent.ts'

/** What has become of a charge, as far as an intent needs it. */
export interface Payment {
  chargeId: string
  /** `open`: nobody knows yet. */
  outcome: 'paid' | 'failed' | 'open'
  /** Why it failed. */
  code: ErrorCode | null
}

/**
 * Brings an intent in line with its charge, which alone says whether it was paid: after a crash between the two, or
 * when the outcome came late, the next reader of the intent, or a job, does this. `known`: what the charge has said just now.
 */
export type SyncWithCharge = (intent: Intent, known?: Payment) => Promise<Intent>

export interface SyncParts {
  store: Pick<IntentStore, 'find'>
  payments: Pick<IntentPaymentStore, 'complete' | 'fail'>
  paymentOf: (chargeId: string) => Promise<Payment>
}

export function createSyncWithCharge({ store, payments, paymentOf }: SyncParts): SyncWithCharge {
  return async (intent, known) => {
    if (intent.status !== 'active' || intent.chargeId === null) return intent
    const payment = known ?? (await paymentOf(intent.chargeId))
    if (payment.outcome === 'open') return intent
    const synced = await record(intent.id, payment)
    // No row: someone else has recorded it first.
    return synced ?? (await store.find(intent.id)) ?? intent
  }

  function record(id: string, { chargeId, outcome, code }: Payment): Promise<Intent | null> {
    return outcome === 'paid'
      ? payments.complete(id, chargeId)
      : payments.fail(id, chargeId, code ?? 'transaction_declined')
  }
}

/**
 * Does this for the intents that no one reads: one that fails keeps no other from it, and the errors are thrown at the end. Any number of
 * processes may do this at once.
 */
export async function syncAllWithCharges(
  payments: Pick<IntentPaymentStore, 'findUnsettled'>,
  syncWithCharge: SyncWithCharge,
): Promise<void> {
  const faults: unknown[] = []
  let page = await payments.findUnsettled('')
  while (page.length > 0) {
    for (const intent of page) await syncWithCharge(intent).catch((error: unknown) => faults.push(error))
    page = await payments.findUnsettled(page.at(-1)?.id ?? '')
  }
  if (faults.length > 0)
    throw new AggregateError(
      faults,
      `${faults.length} checkouts could not be brought in line with their charges; the first: ${String(faults[0])}`,
    )
}
