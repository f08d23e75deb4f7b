import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { DismissedNotification } from '../../../contract/dashboard/overview.ts'
import { ttlCache } from '../../platform/concurrency/loading.ts'
import type { DashboardAccess, Domain } from '../../platform/domain.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { actorOf } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { CountWrongKey } from '../../platform/http/callers/admission.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { dedupeErrors } from '../../platform/jobs/job.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import type { Platform } from '../../platform/platform.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import { createArrivalNotes, findSilent } from './arrival.ts'
import { receive, workOffNotifications } from './inbox.ts'
import type { InboxDeps } from './inbox.ts'
import { findNotifiedAccount } from './notification-secrets.ts'
import { addSetupRoutes } from './setup-routes.ts'
import type { SetupDeps } from './setup-routes.ts'
import {
  countByState,
  dismissNotification,
  findToSee,
  forgetDone,
  isAnythingDue,
  keepNews,
} from './notification-store.ts'
import type { NotifiedAccount } from './notification-store.ts'
import type { News } from '../gateways/gateway.ts'

/** What other domains may ask of notifications. */
interface NotificationsApi {
  /** Those that a merchant's people have to look at. */
  toSee: FindNeeds
  /** Keeps news that came by another way than a gateway's request: the sandbox's. */
  keep: (account: NotifiedAccount, news: News) => Promise<boolean>
}

/** How long an account's secrets are used before they are read again: a change counts within that time. */
const CACHE = { ttlMs: 5000, maxEntries: 10_000 }
const WORK = 'hear gateways'
/** How often it is written what has arrived: somebody may be waiting for the first notification. */
const NOTE_EVERY_MS = 1000
/** For our own test of the address: longer than proxies take, shorter than a person waits. */
const REACH_MS = 8000
const DISMISSAL = { permission: 'change', resourceType: 'notification' } as const

/** What gateways tell of their own accord: received, kept, and worked off. */
export function notificationsDomain(
  platform: Platform,
  needs: Pick<InboxDeps, 'adapterOf' | 'hearNews'> & Pick<SetupDeps, 'gatewaysOf' | 'setupOf'>,
): Domain<NotificationsApi> {
  const { database, log, clock, timeOfDay, createId, textVault, metrics } = platform
  const accounts = ttlCache({ clock, ...CACHE }, (id) => findNotifiedAccount({ database, textVault }, id))
  const arrivals = createArrivalNotes(database)
  const { gatewaysOf, setupOf, ...ofInbox } = needs
  const deps: InboxDeps = { database, createId, log, findAccount: accounts.get, arrivals, ...ofInbox }
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
    api: {
      toSee: async (merchantId) => [
        ...(await silentNeeds(platform, needs, merchantId)),
        ...(await toSee(platform, merchantId)),
      ],
      keep: (account, news) => keepNews(database, createId(), account, news),
    },
    addDashboardRoutes(app, { sessionOf }) {
      const { baseUrl } = platform.config
      const secrets = { database, textVault, createId, forget: accounts.reload, send: ownClient(platform) }
      addSetupRoutes(app, { ...secrets, baseUrl, gatewaysOf, setupOf }, sessionOf)
      addDismissalRoute(app, platform, sessionOf)
    },
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
      { name: 'note what gateways send', everyMs: NOTE_EVERY_MS, work: arrivals.write },
      {
        name: 'forget notifications',
        everyMs: 3_600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
        abort: forgetting.abort,
      },
    ],
  }
}

function addDismissalRoute(
  app: FastifyInstance,
  { database, createId }: Platform,
  sessionOf: DashboardAccess['sessionOf'],
): void {
  app.post('/api/notifications/:id/dismiss', { config: DISMISSAL }, async (request, reply) => {
    const session = sessionOf(request)
    const { id } = decode(v.object({ id: Identifier }), request.params)
    const by = { eventId: createId(), actor: actorOf(session) }
    if (!(await dismissNotification(database, { id, merchantId: session.merchantId }, by)))
      throw notFound('notification that waits for a person')
    return answer(reply, 200, 'notification', { id } satisfies DismissedNotification)
  })
}

/** Sends to the service's own address, by the way that other requests to gateways go. */
function ownClient({ config }: Platform) {
  const limits = { timeoutMs: REACH_MS, maxBytes: 10_000, wants: 'whole answer', idleMs: 0 } as const
  return createHttpClient({ ...limits, proxy: config.proxies.gateways })
}

/** Accounts that take payments and send no notifications: the service believes there what it was told first. */
async function silentNeeds(
  { database }: Platform,
  { gatewaysOf, setupOf }: Pick<SetupDeps, 'gatewaysOf' | 'setupOf'>,
  merchantId: string,
) {
  const able = (await gatewaysOf(merchantId)).filter(({ type }) => setupOf(type) !== null)
  if (able.length === 0) return []
  const found = await findSilent(
    database,
    merchantId,
    able.map(({ id }) => id),
  )
  return toNeeds(
    found,
    { kind: 'gateway_silent', target: { page: 'gateways', query: null } },
    ({ id, name, at }) => ({ id, at, words: name, cents: null, currency: null }),
  )
}

async function toSee({ database }: Platform, merchantId: string) {
  const found = await findToSee(database, merchantId, MAX_READ)
  const toItem = ({ id, charge_id, name, why, received_at }: (typeof found)[number]) => ({
    id: charge_id ?? id,
    notification_id: id,
    at: received_at,
    words: why === null ? name : `${name}: ${why}`,
    cents: null,
    currency: null,
  })
  const strange = found.filter(({ charge_id }) => charge_id !== null)
  const unclear = found.filter(({ charge_id }) => charge_id === null)
  return [
    ...toNeeds(strange, { kind: 'gateway_news', target: { page: 'charges', query: null } }, toItem),
    ...toNeeds(unclear, { kind: 'news_not_understood', target: { page: 'gateways', query: null } }, toItem),
  ]
}

interface RouteDeps extends InboxDeps {
  countWrongKey: CountWrongKey
  now: () => Date
  count: (result: 'kept' | 'repeated' | 'refused', howMany: number) => void
  refused: () => void
}

/** Some hundred items. */
const BODY_LIMIT_BYTES = 256 * 1024

/** `POST /gateways/{id}/notifications`. An unknown account and a wrong signature are answered in the same words. It is for
 * gateways alone, so the reference for merchants does not describe it. */
function addNotificationRoute(app: FastifyInstance, deps: RouteDeps): void {
  app.post(
    '/gateways/:id/notifications',
    { config: { takesBytes: true, isRoutine: true }, bodyLimit: BODY_LIMIT_BYTES },
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
      if ('answer' in received) return reply.type('text/plain; charset=utf-8').send(received.answer)
      deps.count('kept', received.kept)
      deps.count('repeated', received.repeated)
      return reply.type('text/plain; charset=utf-8').send('[accepted]')
    },
  )
}
