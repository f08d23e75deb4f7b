import type { CheckoutsDeps, Payment } from './deps.ts'
import type { Intent } from './intent.ts'
import { completeIntent, failPayment, findIntent, findUnsettled } from './intent-store.ts'

export type SyncDeps = Pick<CheckoutsDeps, 'database' | 'createId' | 'paymentOf'>

/**
 * Brings an intent in line with its charge, which alone says whether it was paid. Each reader of an intent does so, and a job: a crash may
 * have come between the two, or the outcome may have come late. `known`: the payment that the charge has just reported.
 */
export async function syncWithCharge(deps: SyncDeps, intent: Intent, known?: Payment): Promise<Intent> {
  if (intent.status !== 'active' || intent.chargeId === null) return intent
  const payment = known ?? (await deps.paymentOf(intent.chargeId))
  if (payment.outcome === 'open') return intent
  // Null: someone else has recorded the outcome first.
  return (await record(deps, intent.id, payment)) ?? (await findIntent(deps.database, intent.id)) ?? intent
}

async function record(
  deps: SyncDeps,
  id: string,
  { chargeId, outcome, code }: Payment,
): Promise<Intent | null> {
  return outcome === 'paid'
    ? completeIntent(deps, id, chargeId)
    : failPayment(deps.database, id, chargeId, code ?? 'transaction_declined')
}

/**
 * Syncs the intents that no one reads. If one fails the others are still synced, and the errors are thrown at the end. Any number of
 * processes may do this at once.
 */
export async function syncAllWithCharges(deps: SyncDeps): Promise<void> {
  const faults: unknown[] = []
  let page = await findUnsettled(deps.database, '')
  while (page.length > 0) {
    for (const intent of page)
      await syncWithCharge(deps, intent).catch((error: unknown) => faults.push(error))
    page = await findUnsettled(deps.database, page.at(-1)?.id ?? '')
  }
  if (faults.length > 0)
    throw new AggregateError(
      faults,
      `${faults.length} checkouts could not be brought in line with their charges; the first: ${String(faults[0])}`,
    )
}
