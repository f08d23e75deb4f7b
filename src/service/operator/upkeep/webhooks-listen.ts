import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createEventFeed } from '../../domains/webhooks/listening/event-feed.ts'
import { createForward, listen, listeningSecret } from '../../domains/webhooks/listening/listen.ts'
import { createReadEvents } from '../../domains/webhooks/listening/read-events.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import type { RemoteCommand, RemoteContext } from '../command.ts'

/** The limit of an answer with a page of 100 events. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024
/** How long to wait for an answer of the service, or of the server that gets the events: as long as for a webhook's server. */
const TIMEOUT_MS = 15_000
const LOCAL = ['localhost', '127.0.0.1', '[::1]']

export const webhooksListen: RemoteCommand = {
  name: 'webhooks',
  usage: `webhooks listen --forward-to URL [--service http://localhost:8080]
      sends a merchant's events to a server on this machine as they happen, signed, until Ctrl-C. It reads them from a running service
      by the merchant's secret key, which stands in SVC_SECRET_KEY or in the file that SVC_SECRET_KEY_FILE names`,
  async runRemotely(context, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        'forward-to': { type: 'string' },
        service: { type: 'string', default: 'http://localhost:8080' },
      },
    })
    const forwardTo = values['forward-to']
    if (positionals.join() !== 'listen' || forwardTo === undefined) return 2
    const secretKey = context.readMerchantKey() ?? ''
    const fault = faultOfReceiver(forwardTo) ?? faultOfService(values.service) ?? faultOfKey(secretKey)
    if (fault !== null) {
      context.say(fault)
      return 1
    }
    await listenTo({ service: new URL(values.service).origin, forwardTo, secretKey }, context)
    return 0
  },
}

function faultOfReceiver(forwardTo: string): string | null {
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))
    return '--forward-to must be a URL, like http://localhost:3000/hooks.'
  const { username, password } = new URL(forwardTo)
  return username === '' && password === '' ? null : '--forward-to may hold no user name or password.'
}

function faultOfService(service: string): string | null {
  const { protocol, hostname } = URL.canParse(service) ? new URL(service) : { protocol: '', hostname: '' }
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.includes(hostname)))
    return '--service must begin with https:// (http:// for localhost only): it is sent the secret key.'
  const { origin, href } = new URL(service)
  return href === `${origin}/` ? null : '--service must be scheme and host alone, like http://localhost:8080.'
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

async function listenTo({ service, forwardTo, secretKey }: Listening, context: RemoteContext): Promise<void> {
  const { say, version } = context
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES, idleMs: 0 }
  const sendToService = createHttpClient({ ...limits, wants: 'whole answer' })
  const sendToServer = createHttpClient({ ...limits, wants: 'status' })
  const secret = listeningSecret(secretKey)
  const stopped = context.untilStopped()
  const feed = createEventFeed(createReadEvents({ send: sendToService, service, secretKey, signal: stopped }))
  await feed.begin().catch((error: unknown) => {
    if (!stopped.aborted) throw error
  })
  say(`Events of ${service} are sent to ${forwardTo} as they happen. Ctrl-C ends it.`)
  say(`They are signed with the secret ${secret}`)
  await listen({
    feed,
    forward: createForward({
      send: sendToServer,
      url: forwardTo,
      secret,
      userAgent: `svc-webhooks/${version}`,
      signal: stopped,
    }),
    say,
    // Being stopped is not an error.
    pause: (ms) => wait(ms, undefined, { signal: stopped }).catch(() => undefined),
    isStopped: () => stopped.aborted,
  })
  say('Nothing is sent any more.')
}
