import type { Job } from '../../platform/jobs/job.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, isSteady, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { IntentPaymentStore } from './intents/intent-payment-store.ts'
import type { IntentStore } from './intents/intent-store.ts'
import { syncAllWithCharges } from './intents/sync-with-charge.ts'
import type { SyncWithCharge } from './intents/sync-with-charge.ts'

interface Parts {
  store: IntentStore
  payments: IntentPaymentStore
  syncWithCharge: SyncWithCharge
}

/** What becomes of intents without a request. */
export function checkoutJobs(
  timeOfDay: Platform['timeOfDay'],
  { store, payments, syncWithCharge }: Parts,
): Job[] {
  const forgetting = workInBatches([store.forgetRequests])
  return [
    {
      name: 'sync checkouts with charges',
      everyMs: 1000,
      work: () => syncAllWithCharges(payments, syncWithCharge),
    },
    {
      name: 'expire checkouts',
      everyMs: 1000,
      work: () => store.expire(() => isSteady(timeOfDay, PUT_RIGHT_MS)),
    },
    {
      name: 'forget old checkout requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
  ]
}
