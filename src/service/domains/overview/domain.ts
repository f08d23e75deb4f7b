import { OverviewQuery } from '../../../contract/dashboard/overview.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { answerCompressed } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { createReadOverview } from './overview.ts'
import type { OverviewParts } from './overview.ts'
import { usualDays } from './periods.ts'

interface Needs extends OverviewParts {
  /** In which a person reads times; null where there is no such account. */
  timeZoneOf: (userId: string) => Promise<string | null>
}

/** How a merchant's business goes, and what needs somebody: what the dashboard shows first. */
export function overviewDomain(
  { timeOfDay }: Pick<Platform, 'timeOfDay'>,
  { timeZoneOf, ...parts }: Needs,
): Domain<null> {
  const readOverview = createReadOverview(parts)
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes(app, { sessionOf }) {
      app.get('/api/overview', { config: { permission: 'read' } }, async (request, reply) => {
        const { merchantId, user } = sessionOf(request)
        const query = decode(OverviewQuery, request.query)
        const zone = query.time_zone ?? (await timeZoneOf(user.id)) ?? 'UTC'
        const usual = usualDays(timeOfDay.epochMs(), zone)
        const { from = usual.from, to = usual.to, step } = query
        const overview = await readOverview(merchantId, { from, to, step, time_zone: zone })
        return answerCompressed(request, reply, 'overview', overview)
      })
    },
    jobs: [],
  }
}
