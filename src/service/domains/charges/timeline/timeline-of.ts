import type { ChargeTimeline } from '../../../../contract/dashboard/payments/charge-timeline.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { listedOf } from '../search/listed-charges.ts'
import { toChargeTimeline } from './charge-timeline.ts'
import type { SentWebhook } from './charge-timeline.ts'

/** The time line of a merchant's charge; throws `not_found` for an id that is not one of its charges. */
export type TimelineOf = (merchantId: string, chargeId: string) => Promise<ChargeTimeline>

/** What became of messages about events, at this merchant's webhooks. */
export type WebhooksAbout = (merchantId: string, eventIds: readonly string[]) => Promise<SentWebhook[]>

export function createTimelineOf(database: Database, webhooksAbout: WebhooksAbout): TimelineOf {
  return async (merchantId, chargeId) => {
    const [found] = await listedOf(database, [chargeId])
    if (found?.charge.merchantId !== merchantId) {
      throw new ServiceError('not_found', 'There is no charge with this id.')
    }
    const eventIds = found.charge.attempts.map(({ id }) => id)
    return toChargeTimeline(found, await webhooksAbout(merchantId, eventIds))
  }
}
