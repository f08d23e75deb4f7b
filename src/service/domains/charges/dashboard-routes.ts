import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { exportEntries } from '../../../contract/dashboard/payments/charge-list.ts'
import type { NewEvent } from '../../platform/events.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { whenClosed } from '../../platform/http/answers/when-closed.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { toChargeSummary } from './charge-resource.ts'
import { exportEvent } from './export.ts'
import type { ExportPlace, Exports } from './export.ts'
import { ChargeParams } from './routes.ts'
import { SearchQuery, searchCharges, searchEntries, toSearch } from './search.ts'
import { readTimeline } from './timeline.ts'
import type { TimelineDeps } from './timeline.ts'

interface DashboardDeps extends TimelineDeps {
  exports: Exports
  /** Adds an event to the audit log. */
  addEvent: (event: Omit<NewEvent, 'id'>) => Promise<unknown>
}

const READ = { config: { permission: 'read' } } as const

/** The dashboard's routes of charges. */
export function addChargeDashboardRoutes(
  app: FastifyInstance,
  deps: DashboardDeps,
  access: DashboardAccess,
): void {
  app.get('/api/charges', READ, async (request, reply) => {
    const { merchantId } = access.sessionOf(request)
    const query = decode(SearchQuery, request.query)
    const { listed, next } = await searchCharges(deps.database, merchantId, toSearch(query), query.limit)
    return answer(reply, 200, 'charge', listed.map(toChargeSummary), next)
  })

  app.get('/api/charges/:id/timeline', READ, async (request, reply) => {
    const { merchantId } = access.sessionOf(request)
    const { id } = decode(ChargeParams, request.params)
    return answer(reply, 200, 'charge_timeline', await readTimeline(deps, merchantId, id))
  })

  addExportRoute(app, deps, access)
}

const ExportQuery = v.strictObject({ ...searchEntries, ...exportEntries })

/**
 * `GET /api/charges.csv`: a file that is made while the client takes it.
 * - Nothing is sent before the audit log says who asked for what.
 * - A client that takes nothing keeps its export until the rule for every client ends it, or another export needs its place.
 * - An export ends with its connection, and with its session.
 * - An export that fails breaks the connection off, so that half a file is not taken for a whole one.
 */
function addExportRoute(
  app: FastifyInstance,
  { exports, addEvent }: DashboardDeps,
  { sessionOf, recheckSession }: DashboardAccess,
): void {
  const requireSession = async (request: FastifyRequest, merchantId: string) => {
    const now = await recheckSession(request)
    if (now?.merchantId !== merchantId) throw notSignedIn()
  }
  app.get('/api/charges.csv', { ...READ, exposeHeadRoute: false }, async (request, reply) => {
    const session = sessionOf(request)
    const { merchantId } = session
    const { time_zone: timeZone, ...query } = decode(ExportQuery, request.query)
    const search = toSearch(query)
    const place = exports.places.take(merchantId, () => reply.raw.destroy())
    whenClosed(reply, place.leave)
    const pieces = exports.write(merchantId, search, timeZone)
    // The first piece is made before anything is answered: a fault in it is answered like any other.
    const first = await pieces.next()
    await addEvent(exportEvent(session, request.sender.address, search))
    const sent = checked(withFirst(first, pieces), () => requireSession(request, merchantId), place)
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="charges.csv"')
      .send(Readable.from(sent, { highWaterMark: 1 }))
  })
}

async function* withFirst(first: IteratorResult<string, void>, others: AsyncIterable<string>) {
  if (first.done !== true) yield first.value
  yield* others
}

/** The same pieces, each after a check; the first check that fails ends them. Tells the place when the reader is waited for. */
async function* checked(pieces: AsyncIterable<string>, check: () => Promise<void>, place: ExportPlace) {
  for await (const piece of pieces) {
    await check()
    place.waitForReader()
    yield piece
    place.goOn()
  }
  // The last piece is still on its way.
  place.waitForReader()
}
