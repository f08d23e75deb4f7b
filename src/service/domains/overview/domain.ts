import { OverviewQuery } from '../../../contract/dashboard/overview.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { answerCompressed } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { readOverview } from './overview.ts'
import type { OverviewDeps } from './overview.ts'
import { usualDays } from './periods.ts'

interface OverviewNeeds extends OverviewDeps {
  /** The zone in which a person reads times; null if there is no such account. */
  timeZoneOf: (userId: string) => Promise<string | null>
}

/** The dashboard's first page: how a merchant's charges go, and what needs attention. */
export function overviewDomain(
  { timeOfDay }: Pick<Platform, 'timeOfDay'>,
  { timeZoneOf, ...deps }: OverviewNeeds,
): Domain<null> {
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
        const overview = await readOverview(deps, merchantId, { from, to, step, time_zone: zone })
        return answerCompressed(request, reply, 'overview', overview)
      })
    },
    jobs: [],
  }
}
