import { createHmac, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { Gateway, News, NotificationRequest } from '../gateways/gateway.ts'
import type { createArrivalNotes } from './arrival.ts'
import type { NotificationState } from './notification.ts'
import { provingSecrets } from './notification-secrets.ts'
import type { SetUpAccount } from './notification-secrets.ts'
import { keepNews, lookAgain, recordHeard, takeDueNotifications } from './notification-store.ts'
import type { NotifiedAccount, TakenNotification } from './notification-store.ts'
import { answerQuestion } from './reach.ts'

/** What came of news; `waits`: it does not fit yet, and is `otherwise` once it is an hour old. */
type Heard = { chargeId: string | null } & (
  | { kind: 'done' }
  | { kind: 'unexplained'; why: string }
  | { kind: 'waits'; why: string; otherwise: 'done' | 'unexplained' | 'waits' }
)

/** What receiving notifications needs. */
export interface InboxDeps {
  database: Database
  createId: CreateId
  /** The account of a gateway's id, with what proves its notifications; null if there is none, or nothing was set up for it. */
  findAccount: (gatewayId: string) => Promise<SetUpAccount | null>
  /** Remembers what arrives, for the people who set it up. */
  arrivals: Pick<ReturnType<typeof createArrivalNotes>, 'heard' | 'refused'>
  adapterOf: (account: NotifiedAccount) => Promise<Gateway>
  /** What charges make of it. */
  hearNews: (by: NotifiedAccount, news: News) => Promise<Heard>
  log: Logger
}

/** What came of a request: news that are kept, or the answer to a question of our own (`reach.ts`). */
type Received = { kept: number; repeated: number } | { answer: string }

/**
 * Keeps the news of a request that its gateway has signed; it is on disk when this resolves. Null if it is not signed, or there is no such
 * account: both cost about the same.
 */
export async function receive(
  deps: InboxDeps,
  gatewayId: string,
  request: NotificationRequest,
): Promise<Received | null> {
  const found = await deps.findAccount(gatewayId)
  if (found === null) return refuseLikeOthers(request)
  const { account } = found
  const answer = answerQuestion(request, found.secrets)
  if (answer !== null) return { answer }
  const news = await provedNews(deps, found, request)
  if (news === null) return null
  let kept = 0
  // One after the other: they are worked off in this order.
  for (const one of news) if (await keepNews(deps.database, deps.createId(), account, one)) kept += 1
  return { kept, repeated: news.length - kept }
}

/** The news of a request, if any secrets that are good prove it; notes by which, or what to put right. */
async function provedNews(
  { adapterOf, arrivals }: InboxDeps,
  { account, secrets, changedAt }: SetUpAccount,
  request: NotificationRequest,
): Promise<readonly News[] | null> {
  const { notifications } = await adapterOf(account)
  if (notifications === undefined) return null
  const [newest, ...others] = provingSecrets(secrets)
  if (newest === undefined) return null
  const byNewest = notifications.read(request, newest)
  const news = byNewest ?? firstOf(others, (way) => notifications.read(request, way))
  if (news === null) arrivals.refused(account.gatewayId, notifications.whyRefused(request, newest))
  else arrivals.heard(account.gatewayId, byNewest === null ? null : changedAt)
  return news
}

function firstOf<One, Found>(all: readonly One[], find: (one: One) => Found | null): Found | null {
  for (const one of all) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

const NO_KEY = randomBytes(32)

/** Hashes the body as a check of its signature does. */
function refuseLikeOthers({ body }: NotificationRequest): null {
  createHmac('sha256', NO_KEY).update(body).digest()
  return null
}

/** What working notifications off needs. */
type WorkDeps = Pick<InboxDeps, 'database' | 'hearNews' | 'log'>

/** How many notifications of one account are worked off in one round, and how many of all at once. */
const OF_EACH = 32
const AT_ONCE = 8
/** A run ends after this many rounds, as the run of every job must; the next run follows. */
const MAX_ROUNDS = 100

/**
 * Works off the notifications that are due. Any number of processes may do this at once, and any may be killed: the same news changes a charge
 * once. Those of one payment follow each other, the oldest first; none waits for one that fails.
 */
export async function workOffNotifications(deps: WorkDeps): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const taken = await takeDueNotifications(deps.database, OF_EACH)
    if (taken.length === 0) return
    const lines = linesOf(taken)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, lines.length) }, async () => {
        for (let line = lines.shift(); line !== undefined; line = lines.shift())
          for (const notification of line) await workOff(deps, notification)
      }),
    )
  }
}

/** Those of one payment together, in their order. */
function linesOf(taken: readonly TakenNotification[]): TakenNotification[][] {
  const lines = new Map<string, TakenNotification[]>()
  for (const one of taken) {
    const key = `${one.account.gatewayId} ${one.news.saleId ?? one.id}`
    const line = lines.get(key)
    if (line === undefined) lines.set(key, [one])
    else line.push(one)
  }
  return [...lines.values()]
}

async function workOff(deps: WorkDeps, notification: TakenNotification): Promise<void> {
  try {
    const heard = await hear(deps, notification)
    await recordHeard(deps.database, notification, heard)
    if (heard.chargeId !== null && (await isToLookAgain(deps, notification, heard)))
      await lookAgain(deps.database, notification.account, heard.chargeId)
  } catch (error) {
    const { id, account } = notification
    deps.log.error(
      { err: error, notification_id: id, gateway_id: account.gatewayId },
      'a notification could not be worked off yet',
    )
    if (notification.isOld) await recordHeard(deps.database, notification, GIVEN_UP)
  }
}

/**
 * Whether a charge's news is to be heard again: once this one has changed the charge, or where another has changed it before it was recorded
 * that this one does not fit.
 */
async function isToLookAgain(
  deps: WorkDeps,
  notification: TakenNotification,
  { state, why }: Outcome,
): Promise<boolean> {
  if (state === 'waiting') return false
  // One that is done with words has changed nothing itself.
  if (why === null) return true
  return (await hear(deps, notification)).why !== why
}

/** What fails for an hour fails by a fault of the service: it is shown, and an operator has it worked off again. */
const GIVEN_UP = {
  state: 'unexplained',
  why: 'The service has failed to work it off for an hour. Its log says why: replay it once that is put right.',
  chargeId: null,
} as const

interface Outcome {
  state: NotificationState
  why: string | null
  chargeId: string | null
}

async function hear(deps: WorkDeps, { account, news, isOld }: TakenNotification): Promise<Outcome> {
  if (news.says.kind === 'unknown') return { state: 'not_understood', why: news.says.why, chargeId: null }
  if (news.says.kind === 'nothing') return { state: 'done', why: null, chargeId: null }
  const heard = await deps.hearNews(account, news)
  const { chargeId } = heard
  if (heard.kind === 'done') return { state: 'done', why: null, chargeId }
  if (heard.kind === 'unexplained') return { state: 'unexplained', why: heard.why, chargeId }
  const state = isOld && heard.otherwise !== 'waits' ? heard.otherwise : 'waiting'
  return { state, why: heard.why, chargeId }
}
