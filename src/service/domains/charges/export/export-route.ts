import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { exportEntries } from '../../../../contract/dashboard/payments/charge-list.ts'
import type { NewEvent } from '../../../platform/add-event.ts'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { exportFilterEntries, toSearch } from '../search/charge-filter.ts'
import type { ExportCharges } from './export-charges.ts'
import { exportEvent } from './export-event.ts'
import { createExportPlaces } from './export-places.ts'
import type { ExportPlace } from './export-places.ts'

const ExportQuery = v.strictObject({ ...exportFilterEntries, ...exportEntries })

interface Parts extends Pick<DashboardAccess, 'sessionOf' | 'recheckSession'> {
  exportCharges: ExportCharges
  clock: MonotonicClock
  /** Adds an event to the audit log. */
  addEvent: (event: NewEvent) => Promise<unknown>
}

/**
 * `GET /api/charges.csv`: a file that is made while it is taken. A client that takes nothing is waited for, and then left, by the
 * rule for every client, or as soon as another export needs its place; one that goes away ends its export, and so does a session that ends. An export that fails on the way breaks
 * the connection off, so that half a file is not taken for a whole one. Nothing is sent before the audit log says who has asked for what.
 */
export function addExportRoute(app: FastifyInstance, parts: Parts): void {
  const { exportCharges, sessionOf, recheckSession, addEvent, clock } = parts
  const places = createExportPlaces(clock)
  app.get(
    '/api/charges.csv',
    { config: { permission: 'read' }, exposeHeadRoute: false },
    async (request, reply) => {
      const session = sessionOf(request)
      const { time_zone: timeZone, ...query } = decode(ExportQuery, request.query)
      const search = toSearch(query)
      const requireSession = async () => {
        const now = await recheckSession(request)
        if (now?.merchantId !== session.merchantId) throw notSignedIn()
      }
      const place = places.take(session.merchantId, () => reply.raw.destroy())
      reply.raw.once('close', place.leave)
      const pieces = exportCharges(session.merchantId, search, timeZone)
      // The first piece is made before anything is answered: a fault in it is answered as any other.
      const first = await pieces.next()
      await addEvent(exportEvent(session, request.sender.address, search))
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="charges.csv"')
        .send(Readable.from(checked(withFirst(first, pieces), requireSession, place), { highWaterMark: 1 }))
    },
  )
}

async function* withFirst(first: IteratorResult<string, void>, others: AsyncIterable<string>) {
  if (first.done !== true) yield first.value
  yield* others
}

/** The same pieces, each after a check, the first of which that fails ends them; the place knows when the reader is waited for. */
async function* checked(pieces: AsyncIterable<string>, check: () => Promise<void>, place: ExportPlace) {
  for await (const piece of pieces) {
    await check()
    place.waitForReader()
    yield piece
    place.goOn()
  }
  // What was made last is still on its way.
  place.waitForReader()
}
