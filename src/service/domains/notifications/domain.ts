import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { ttlCache } from '../../platform/concurrency/loading.ts'
import type { Domain } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { CountWrongKey } from '../../platform/http/callers/admission.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { dedupeErrors } from '../../platform/jobs/job.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import type { Platform } from '../../platform/platform.ts'
import { receive, workOffNotifications } from './inbox.ts'
import type { InboxDeps } from './inbox.ts'
import { findNotifiedAccount } from './notification-secrets.ts'
import { countByState, findToSee, forgetDone, isAnythingDue } from './notification-store.ts'

/** What other domains may ask of notifications. */
interface NotificationsApi {
  /** Those that a merchant's people have to look at. */
  toSee: FindNeeds
}

/** How long an account's secrets are used before they are read again: a change counts within that time. */
const CACHE = { ttlMs: 5000, maxEntries: 10_000 }
const WORK = 'hear gateways'

/** What gateways tell of their own accord: received, kept, and worked off. */
export function notificationsDomain(
  platform: Platform,
  needs: Pick<InboxDeps, 'adapterOf' | 'hearNews'>,
): Domain<NotificationsApi> {
  const { database, log, clock, timeOfDay, createId, textVault, metrics } = platform
  const accounts = ttlCache({ clock, ...CACHE }, (id) => findNotifiedAccount({ database, textVault }, id))
  const deps: InboxDeps = { database, createId, log, findAccount: accounts.get, ...needs }
  const forgetting = workInBatches([() => forgetDone(database)])
  const count = metrics.watchNotifications(() => countByState(database))
  const refused = dedupeErrors(
    (_error, untold) =>
      log.warn(
        { ...(untold > 0 && { untold }) },
        'a notification was refused: no gateway account has signed it',
      ),
    clock,
  )
  return {
    api: { toSee: (merchantId) => toSee(platform, merchantId) },
    addRoutes(app, { countWrongKey }) {
      const now = () => new Date(timeOfDay.epochMs())
      addNotificationRoute(app, { ...deps, countWrongKey, now, count, refused: () => refused('refused') })
    },
    jobs: [
      {
        name: WORK,
        everyMs: 250,
        workCheck: async () => ((await isAnythingDue(database)) ? [WORK] : []),
        work: () => workOffNotifications(deps),
      },
      {
        name: 'forget notifications',
        everyMs: 3_600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
        abort: forgetting.abort,
      },
    ],
  }
}

async function toSee({ database }: Platform, merchantId: string) {
  const found = await findToSee(database, merchantId, MAX_READ)
  return toNeeds(
    found,
    { kind: 'gateway_news', target: { page: 'charges', query: null } },
    ({ id, charge_id, name, why, received_at }) => ({
      id: charge_id ?? id,
      at: received_at,
      words: why === null ? name : `${name}: ${why}`,
      cents: null,
      currency: null,
    }),
  )
}

interface RouteDeps extends InboxDeps {
  countWrongKey: CountWrongKey
  now: () => Date
  count: (result: 'kept' | 'repeated' | 'refused', howMany: number) => void
  refused: () => void
}

const IdParams = v.object({ id: Identifier })
/** Some hundred items. */
const BODY_LIMIT_BYTES = 256 * 1024

const operation: Operation = {
  id: 'receiveNotification',
  group: 'Service',
  summary: 'What a gateway tells of its own accord',
  description:
    'For gateways alone: each signs its notifications in its own way (docs/gateways.md). Answered once they are kept.',
  key: 'none',
  params: { schema: IdParams, words: { id: 'The gateway account.' } },
  answers: [{ status: 200, words: 'They are kept: `[accepted]`.', media: 'text/plain' }],
  errors: ['unauthorized'],
}

/** `POST /gateways/{id}/notifications`. An unknown account and a wrong signature are answered in the same words. */
function addNotificationRoute(app: FastifyInstance, deps: RouteDeps): void {
  app.post(
    '/gateways/:id/notifications',
    { config: { operation, takesBytes: true, isRoutine: true }, bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const { id } = v.parse(v.object({ id: v.string() }), request.params)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const received = await receive(deps, id, { headers: request.headers, body, now: deps.now() })
      if (received === null) {
        deps.count('refused', 1)
        deps.refused()
        await deps.countWrongKey(request)
        throw new ServiceError(
          'unauthorized',
          'No gateway account with this address has signed this. Compare address, user, password and signing key: docs/gateways.md.',
        )
      }
      request.isIdentified = true
      deps.count('kept', received.kept)
      deps.count('repeated', received.repeated)
      return reply.type('text/plain; charset=utf-8').send('[accepted]')
    },
  )
}
