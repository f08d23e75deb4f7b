import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { Envelope } from '../src/contract/api/envelope.ts'
import { startHostileServer } from '../src/service/testing/hostile-servers.ts'
import type { HostileServer } from '../src/service/testing/hostile-servers.ts'
import { testCard } from '../src/service/testing/test-card.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { addGateway, addMerchant } from './machines/operator.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { startService, VAULT_KEYS } from './machines/service-process.ts'
import type { Keys } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi } from './merchant/http-api.ts'
import { startWebhookServer } from './merchant/webhook-server.ts'
import type { WebhookServer } from './merchant/webhook-server.ts'
import type { Say } from './say.ts'

const MAX_P95_MS = 1000
const MAX_UNKNOWN_MS = 10_000
/** The two hostile merchants make up to five charges a second each, and so 120 messages a second to webhooks that accept none. */
const CHARGE_EVERY_MS = 200
/** How long the service waits for requests that are under way when it is asked to stop. */
const GRACE_MS = 10_000

/**
 * Two merchants do their worst at once: one has 16 webhooks that never answer and 40 sales at a gateway that never answers,
 * the other has 8 webhooks that switch protocols, and both go on charging. Even so a third merchant's events must come within a
 * second, its unknown outcome must be known within ten, and the service must stop within its grace period.
 */
export async function fairness(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, seconds: { type: 'string' } },
  })
  const seconds = Number(values.seconds ?? (values.short ? 6 : 60))
  await inFolder((folder, atEnd) => attack(folder, atEnd, seconds, say))
}

async function attack(folder: string, atEnd: AtEnd, seconds: number, say: Say): Promise<void> {
  const postgres = await startOwnPostgres(folder)
  atEnd(postgres.stop)
  const service = await startService({
    folder,
    databaseUrl: postgres.connectionString,
    settings: { SVC_VAULT_KEYS: VAULT_KEYS },
  })
  atEnd(service.stop)
  const silent = await startHostileServer('never answers')
  atEnd(silent.close)
  const switching = await startHostileServer('switches protocols')
  atEnd(switching.close)
  const place = { databaseUrl: postgres.connectionString, vaultKeys: VAULT_KEYS }
  const hanging = await addMerchant(place)
  const upgrading = await addMerchant(place)
  const honest = await addMerchant(place)
  const account = { type: 'adyen', merchantAccount: 'Hangs', url: silent.url, apiKey: 'an-api-key' } as const
  const gatewayId = await addGateway(place, hanging.merchantId, account)
  const api = createHttpApi(() => service.port)
  atEnd(api.close)
  const listener = await startListener()
  atEnd(listener.close)
  await addWebhook(api, honest, listener.url)
  await addHostileWebhooks(api, hanging, silent, 16)
  await addHostileWebhooks(api, upgrading, switching, 8)

  const lost = Array.from({ length: 40 }, () => sell(api, hanging, '10.00', gatewayId))
  let isOver = false
  const charging = [hanging, upgrading].map(async (merchant) => {
    while (!isOver) {
      await sell(api, merchant, '10.00')
      await sleep(CHARGE_EVERY_MS)
    }
  })
  const unknown = unknownOutcome(api, honest)
  const latencies = await tell(api, honest, listener, seconds)
  const unknownMs = await unknown
  isOver = true
  await Promise.all([...lost, ...charging])

  const began = performance.now()
  await service.stop()
  const stopMs = performance.now() - began
  const p95 = latencies.sort((one, other) => one - other)[Math.ceil(latencies.length * 0.95) - 1] ?? Infinity
  say(
    `beside two hostile merchants, ${latencies.length} events: p95 ${Math.round(p95)} ms; ` +
      `an unknown outcome: ${Math.round(unknownMs)} ms; stopped in ${Math.round(stopMs)} ms`,
  )
  if (p95 > MAX_P95_MS) throw new Error(`p95 of webhooks is over ${MAX_P95_MS} ms`)
  if (unknownMs > MAX_UNKNOWN_MS) throw new Error(`an outcome was unknown for over ${MAX_UNKNOWN_MS} ms`)
  if (stopMs > GRACE_MS) throw new Error(`stopping took over ${GRACE_MS} ms`)
}

async function ask(api: HttpApi, keys: Keys, path: string, body?: object): Promise<Envelope> {
  const headers = { 'x-user-secret-key': keys.secretKey, 'x-user-public-key': keys.publicKey }
  const method = body === undefined ? 'GET' : 'POST'
  const { text } = await api.send({ method, path, headers, ...(body !== undefined && { body }) })
  return v.parse(Envelope, JSON.parse(text))
}

async function addWebhook(api: HttpApi, keys: Keys, url: string): Promise<void> {
  const { status } = await ask(api, keys, '/v1/webhooks', { url })
  if (status !== 201) throw new Error(`a webhook was answered ${status}`)
}

async function addHostileWebhooks(
  api: HttpApi,
  keys: Keys,
  server: HostileServer,
  count: number,
): Promise<void> {
  for (let number = 0; number < count; number += 1) await addWebhook(api, keys, `${server.url}/${number}`)
}

/** Makes a charge, whatever its outcome; returns its id. */
async function sell(api: HttpApi, keys: Keys, amount: string, gatewayId = 'default'): Promise<string> {
  const path = '/v1/payment_sources/tokens'
  const token = (await ask(api, keys, path, { ...testCard, gateway_id: gatewayId })).resource.data
  const { resource } = await ask(api, keys, '/v1/charges', { amount, currency: 'AUD', token })
  return v.parse(v.object({ _id: v.string() }), resource.data)._id
}

/** For how long, in ms after its answer, a sale whose gateway answer is lost has no outcome. */
async function unknownOutcome(api: HttpApi, keys: Keys): Promise<number> {
  const id = await sell(api, keys, '9000.68')
  const began = performance.now()
  for (;;) {
    const { resource } = await ask(api, keys, `/v1/charges/${id}`)
    if (v.parse(v.object({ status: v.string() }), resource.data).status !== 'processing')
      return performance.now() - began
    await sleep(100)
  }
}

/** Makes four sales a second; returns how long each event took to reach its webhook, in ms. */
async function tell(api: HttpApi, keys: Keys, listener: Listener, seconds: number): Promise<number[]> {
  const latencies: Promise<number>[] = []
  for (let number = 0; number < seconds * 4; number += 1) {
    const id = await sell(api, keys, '10.00')
    const began = performance.now()
    latencies.push(listener.hear(id).then((at) => Math.max(0, at - began)))
    await sleep(250)
  }
  return Promise.all(latencies)
}

/** A merchant's server that takes every message and notes when it came. */
interface Listener extends WebhookServer {
  /** When the first message about a charge came, by `performance.now`; rejects when none comes. */
  hear: (chargeId: string) => Promise<number>
}

const Message = v.object({ data: v.object({ _id: v.string() }) })
const MAX_WAIT_MS = 60_000

async function startListener(): Promise<Listener> {
  const heard = new Map<string, number>()
  const server = await startWebhookServer((_headers, body) => {
    const { data } = v.parse(Message, JSON.parse(body))
    if (!heard.has(data._id)) heard.set(data._id, performance.now())
    return true
  })
  return {
    ...server,
    async hear(chargeId) {
      const until = performance.now() + MAX_WAIT_MS
      while (performance.now() < until) {
        const at = heard.get(chargeId)
        if (at !== undefined) return at
        await sleep(20)
      }
      throw new Error(`no webhook came for ${chargeId} in ${MAX_WAIT_MS} ms`)
    },
  }
}
