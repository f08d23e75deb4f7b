import { OverviewQuery } from '../../../contract/dashboard/overview.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { createReadOverview } from './overview.ts'
import type { OverviewParts } from './overview.ts'

/** How a merchant's business goes, and what needs somebody: what the dashboard shows first. */
export function overviewDomain(parts: OverviewParts): Domain<null> {
  const readOverview = createReadOverview(parts)
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes(app, { sessionOf }) {
      app.get('/api/overview', { config: { permission: 'read' } }, async (request, reply) => {
        const { merchantId } = sessionOf(request)
        const query = decode(OverviewQuery, request.query)
        return answer(reply, 200, 'overview', await readOverview(merchantId, query))
      })
    },
    jobs: [],
  }
}
