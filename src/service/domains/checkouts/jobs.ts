import type { Job } from '../../platform/jobs/job.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { isSteady, PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { CheckoutsDeps } from './deps.ts'
import { expireIntents, forgetRequests } from './intent-store.ts'
import { syncAllWithCharges } from './sync-with-charge.ts'

/** The work on intents that no request does. */
export function checkoutJobs(deps: CheckoutsDeps, timeOfDay: Platform['timeOfDay']): Job[] {
  const forgetting = workInBatches([() => forgetRequests(deps.database)])
  return [
    {
      name: 'sync checkouts with charges',
      everyMs: 1000,
      work: () => syncAllWithCharges(deps),
    },
    {
      name: 'expire checkouts',
      everyMs: 1000,
      work: () => expireIntents(deps, () => isSteady(timeOfDay, PUT_RIGHT_MS)),
    },
    {
      name: 'forget old checkout requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
  ]
}
