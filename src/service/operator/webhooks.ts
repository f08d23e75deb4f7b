import { setTimeout as wait } from 'node:timers/promises'
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { listUndelivered, replay } from '../domains/webhooks/delivery-log.ts'
import type { ListedDelivery } from '../domains/webhooks/delivery-log.ts'
import { createEventFeed, listen, listeningSecret, readEvents } from '../domains/webhooks/listen.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { createIds } from '../platform/identifiers.ts'
import { dayOrTime } from '../platform/listing/page-query.ts'
import { createHttpClient } from '../platform/outbound/http-client.ts'
import { actor, CommandFault, exampleText, group, JSON_OPTION, MERCHANT_ID, noMerchant } from './command.ts'
import type { OnDatabase, Output } from './command.ts'

export function webhookCommands(onDatabase: OnDatabase, listener: Listener) {
  const webhooks = group(
    'webhooks',
    "events that are sent to merchants' servers",
    'svc webhooks undelivered 65b0c1f2e4a7d83b5c9f0a12',
  )
  webhooks
    .command('undelivered')
    .description(
      "Lists a merchant's events that were sent to a webhook and have not arrived, newest first, 1000 at most.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc webhooks undelivered 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ database, merchants, output }, merchantId, format) => {
        if ((await merchants.find(merchantId)) === null) throw noMerchant(merchantId)
        const found = await listUndelivered(database, merchantId)
        output.show(format, { deliveries: found.map(documentOf) }, found.map(lineOf))
        if (found.length === 0) output.note('Nothing is undelivered.')
      }),
    )
  webhooks
    .command('replay')
    .description(
      "Sends a merchant's events to its webhooks again: those that were given up, all since a time, or one.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option('--since <TIME>', 'all since this time, such as 2026-11-21T10:00:00Z', timeOf)
    .addOption(new Option('--event <EVENT_ID>', 'this one').conflicts('since'))
    .addHelpText(
      'after',
      exampleText('svc webhooks replay 65b0c1f2e4a7d83b5c9f0a12 --since 2026-11-21T10:00:00Z'),
    )
    .action(
      onDatabase(async ({ database, merchants, output }, merchantId, { since = null, event = null }) => {
        if ((await merchants.find(merchantId)) === null) throw noMerchant(merchantId)
        const createId = createIds(await startDatabaseClock(database, monotonicClock))
        const act = { id: createId(), actor: actor() }
        const selection = { since, eventId: event }
        const count = await replay(database, merchantId, selection, act)
        if (count === 0 && event !== null)
          throw new CommandFault(`No webhook of this merchant that is enabled is told of an event ${event}.`)
        output.line(`${String(count)} deliveries are due now; a running service sends them.`)
      }),
    )
  addListen(webhooks, listener)
  return webhooks
}

/** `Date` would read `5` as the year 2001, and everything would be sent again. */
function timeOf(words: string): Date {
  const time = dayOrTime(words)
  if (time === null) throw new InvalidArgumentError('It must be a time such as 2026-11-21T10:00:00Z.')
  return time
}

const documentOf = ({ eventId, eventType, subject, url, attempts, lastFault, nextAt }: ListedDelivery) => ({
  event_id: eventId,
  event_type: eventType,
  subject,
  url,
  attempts,
  last_fault: lastFault,
  next_at: nextAt?.toISOString() ?? null,
})

function lineOf({ eventId, eventType, subject, url, attempts, lastFault, nextAt }: ListedDelivery): string {
  const next = nextAt === null ? 'given up' : `next at ${nextAt.toISOString()}`
  const words = [eventId, eventType, subject, url, `${String(attempts)} attempts`, lastFault ?? 'under way']
  return [...words, next].join('  ')
}

/** The limit of an answer with a page of 100 events. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024
/** How long to wait for an answer of the service, or of the server that gets the events: as long as for a webhook's server. */
const TIMEOUT_MS = 15_000
const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** What `webhooks listen` uses: it asks a running service over HTTP, and needs neither a database nor settings. */
export interface Listener {
  /** The version of this program. */
  version: string
  output: Output
  /** The merchant's secret key, by which it asks; undefined where none is set. */
  readMerchantKey: () => string | undefined
  /** Aborted by Ctrl-C, and by a signal to end the process. */
  untilStopped: () => AbortSignal
}

function addListen(webhooks: ReturnType<typeof group>, listener: Listener): void {
  webhooks
    .command('listen')
    .description(
      "Sends a merchant's events to a server on this machine as they happen, signed, until Ctrl-C. It reads them from a running service by the merchant's secret key, which stands in SVC_SECRET_KEY or in the file that SVC_SECRET_KEY_FILE names.",
    )
    .requiredOption('--forward-to <URL>', 'where they are sent, like http://localhost:3000/hooks')
    .option('--service <URL>', 'the running service', 'http://localhost:8080')
    .addHelpText('after', exampleText('svc webhooks listen --forward-to http://localhost:3000/hooks'))
    .action(async ({ forwardTo, service }, command) => {
      // Said without the value, which may hold a password.
      const wrong = faultOfReceiver(forwardTo) ?? faultOfService(service)
      if (wrong !== null) command.error(`error: ${wrong}`)
      const secretKey = listener.readMerchantKey() ?? ''
      const fault = faultOfKey(secretKey)
      if (fault !== null) throw new CommandFault(fault)
      await listenTo({ service: new URL(service).origin, forwardTo, secretKey }, listener)
    })
}

function faultOfReceiver(forwardTo: string): string | null {
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))
    return '--forward-to must be a URL, like http://localhost:3000/hooks'
  const { username, password } = new URL(forwardTo)
  return username === '' && password === '' ? null : '--forward-to may hold no user name or password'
}

function faultOfService(service: string): string | null {
  const { protocol, hostname } = URL.canParse(service) ? new URL(service) : { protocol: '', hostname: '' }
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.includes(hostname)))
    return '--service must begin with https:// (http:// for localhost only): it is sent the secret key'
  const { origin, href } = new URL(service)
  return href === `${origin}/` ? null : '--service must be scheme and host alone, like http://localhost:8080'
}

function faultOfKey(secretKey: string): string | null {
  if (secretKey === '') return "Set SVC_SECRET_KEY, or SVC_SECRET_KEY_FILE, to the merchant's secret key."
  // Other characters can't be sent in a header, which would look as if the service did not answer.
  return /^[\x21-\x7e]+$/.test(secretKey)
    ? null
    : 'The secret key holds characters that no key has, such as a space, a line break or a typographic quote.'
}

interface Listening {
  service: string
  forwardTo: string
  secretKey: string
}

async function listenTo({ service, forwardTo, secretKey }: Listening, listener: Listener): Promise<void> {
  const { output, version } = listener
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES, idleMs: 0 }
  const sendToService = createHttpClient({ ...limits, wants: 'whole answer' })
  const sendToServer = createHttpClient({ ...limits, wants: 'status' })
  const secret = listeningSecret(secretKey)
  const stopped = listener.untilStopped()
  const source = { send: sendToService, service, secretKey, signal: stopped }
  const feed = createEventFeed((query) => readEvents(source, query))
  await feed.begin().catch((error: unknown) => {
    if (!stopped.aborted) throw error
  })
  output.line(`Events of ${service} are sent to ${forwardTo} as they happen. Ctrl-C ends it.`)
  output.line(`They are signed with the secret ${secret}`)
  await listen({
    feed,
    receiver: {
      send: sendToServer,
      url: forwardTo,
      secret,
      userAgent: `svc-webhooks/${version}`,
      signal: stopped,
    },
    say: output.line,
    // Being stopped is not an error.
    pause: (ms) => wait(ms, undefined, { signal: stopped }).catch(() => undefined),
    isStopped: () => stopped.aborted,
  })
  output.line('Nothing is sent any more.')
}
