import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import * as v from 'valibot'
import { Envelope } from '../src/contract/api/envelope.ts'
import { verifyWebhook } from '../src/server-client/verify-webhook.ts'
import { startAdyenDouble } from '../src/service/domains/gateways/adyen/testing/adyen-double.ts'
import { postgresAccount } from '../src/service/platform/database/embedded/postgres-location.ts'
import { startEgressProxy } from '../src/service/testing/egress-proxy.ts'
import { testCard } from '../src/service/testing/test-card.ts'
import { createWebhookReceiver } from '../src/service/testing/webhook-receiver.ts'
import { PGBOUNCER, startPooler } from './foreign-database.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { installTree } from './machines/installed-tree.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { FIRST_PORT, VAULT_KEYS } from './machines/service-process.ts'
import { NGINX, startTlsFront } from './machines/tls-front.ts'
import type { Say } from './say.ts'

/** Debian's; where it is not installed, the embedded one. */
const POSTGRES = '/usr/lib/postgresql/15'
const [PORT, POOLER_PORT, FRONT_PORT] = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2]
const PAY = 'pay.example.com'
/** Public, as the service asks for; the egress proxy alone is asked for them, and leads to this machine. */
const [GATEWAY, SHOP] = ['5.0.0.1', '5.0.0.2']
const WAIT_MS = 30_000

/**
 * A charge in production mode: what `npm ci --omit=dev` installs, under an account without privileges, behind nginx, on a PostgreSQL behind
 * PgBouncer. A double of Adyen's and a merchant's server are reached by TLS at public addresses, through an egress proxy.
 */
export async function production(_parameters: string[], say: Say): Promise<void> {
  const missing = [NGINX, PGBOUNCER].filter((program) => !existsSync(program))
  if (missing.length > 0) {
    say(`skipped: ${missing.join(' and ')} not installed`)
    return
  }
  await inFolder(async (folder, atEnd) => {
    const world = await startWorld(folder, atEnd)
    say(`a tree of ${world.packages} packages; PostgreSQL of ${world.postgres}, PgBouncer, nginx`)
    await world.svc(['migrate'])
    const stop = startServing(world, folder, atEnd)
    await world.becomes('health', async () => (await world.send('GET', '/health')).status === 200)
    say(`production_svc serves at https://${PAY} as uid ${world.account.uid ?? process.getuid?.() ?? '?'}`)
    const keys = await addMerchant(world)
    await takeCharge(world, keys, say)
    await stop()
    say('SIGTERM: it ended with 0')
  })
}

type World = Awaited<ReturnType<typeof startWorld>>

async function startWorld(folder: string, atEnd: AtEnd) {
  const tree = installTree()
  atEnd(tree.remove)
  const programs = existsSync(POSTGRES) ? POSTGRES : undefined
  const postgres = await startOwnPostgres(folder, programs)
  atEnd(postgres.stop)
  const pooled = { folder, connectionString: postgres.connectionString }
  atEnd(await startPooler(pooled, { role: 'svc', pooling: 'session', port: POOLER_PORT }))
  const double = await startAdyenDouble({ apiKey: 'right' })
  atEnd(double.close)
  const shop = await createWebhookReceiver()
  atEnd(shop.close)
  const portOf = (url: string) => Number(new URL(url).port)
  const servers = { [PAY]: PORT, [GATEWAY]: portOf(double.baseUrl), [SHOP]: portOf(shop.url) }
  const front = await startTlsFront(folder, FRONT_PORT, servers)
  atEnd(front.stop)
  const proxy = await startEgressProxy()
  atEnd(proxy.close)
  proxy.treat((socket) => {
    const server = connect(FRONT_PORT, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(server).pipe(socket)
    })
    server.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => server.destroy())
  })
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    NODE_EXTRA_CA_CERTS: front.certificate,
    SVC_ENVIRONMENT: 'production_svc',
    SVC_BASE_URL: `https://${PAY}`,
    SVC_PORT: String(PORT),
    SVC_DASHBOARD_PORT: '0',
    SVC_SANDBOX_BANK_PORT: '0',
    SVC_DASHBOARD_URL: 'https://dashboard.example.com',
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    SVC_DATABASE_URL: `postgres://svc@127.0.0.1:${POOLER_PORT}/postgres`,
    SVC_VAULT_KEYS: VAULT_KEYS,
    SVC_OUTBOUND_PROXY: proxy.url,
  }
  const account = postgresAccount()
  const ca = readFileSync(front.certificate)
  return {
    packages: tree.packages,
    postgres: programs ?? 'npm',
    account,
    env,
    cwd: tree.folder,
    double,
    shop,
    proxy,
    /** Runs `svc` in the tree, and returns what it prints. */
    async svc(parameters: string[], input = ''): Promise<string> {
      const options = { cwd: tree.folder, env, ...account }
      const running = promisify(execFile)(process.execPath, ['dist/service/svc.js', ...parameters], options)
      running.child.stdin?.end(input)
      return (await running).stdout
    },
    /** A request to the service through nginx. */
    send(
      method: 'GET' | 'POST',
      path: string,
      { key = {}, body }: { key?: Record<string, string>; body?: object } = {},
    ): Promise<{ status: number; data: unknown }> {
      return new Promise((resolve, reject) => {
        const headers = { host: PAY, ...(body && { 'content-type': 'application/json' }), ...key }
        const options = { host: '127.0.0.1', port: FRONT_PORT, servername: PAY, ca, method, path, headers }
        const sent = request(options, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => {
            const parsed = v.safeParse(Envelope, text.startsWith('{') ? JSON.parse(text) : null)
            resolve({
              status: answer.statusCode ?? 0,
              data: parsed.success ? (parsed.output.error ?? parsed.output.resource.data) : text,
            })
          })
        })
        sent.on('error', reject).end(body && JSON.stringify(body))
      })
    },
    async becomes(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
      const end = Date.now() + WAIT_MS
      while (!(await isSo())) {
        if (Date.now() > end) throw new Error(`${what}: not in ${WAIT_MS} ms`)
        await sleep(100)
      }
    },
  }
}

/** Starts `svc start --no-migrate`; what is returned ends it by SIGTERM. */
function startServing({ env, cwd, account }: World, folder: string, atEnd: AtEnd) {
  const log = openSync(join(folder, 'service.log'), 'a')
  const parameters = ['dist/service/svc.js', 'start', '--no-migrate']
  const child = spawn(process.execPath, parameters, { cwd, env, ...account, stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = once(child, 'exit')
  atEnd(() => void child.kill('SIGKILL'))
  return async () => {
    child.kill('SIGTERM')
    await ended
    if (child.exitCode !== 0) throw new Error(`the service ended with ${String(child.exitCode)}`)
  }
}

const Made = v.object({ merchant_id: v.string(), public_key: v.string(), secret_key: v.string() })

/** As an operator does: a merchant with a gateway at Adyen. */
async function addMerchant(world: World) {
  const added = await world.svc(['merchants', 'add', '--name', 'Acme', '--pre-auth', '--json'])
  const made = v.parse(Made, JSON.parse(added))
  const account = ['--merchant-account', 'Acme', '--url', `https://${GATEWAY}/v72`]
  await world.svc(['gateways', 'add', made.merchant_id, 'adyen', ...account, '--default'], 'right\n')
  return {
    publicly: { 'x-user-public-key': made.public_key },
    secretly: { 'x-user-secret-key': made.secret_key },
  }
}

const Webhook = v.object({ secret: v.string() })
const Charge = v.object({ _id: v.string(), status: v.string() })

async function takeCharge(world: World, keys: Awaited<ReturnType<typeof addMerchant>>, say: Say) {
  const { publicly, secretly } = keys
  const post = async (path: string, key: Record<string, string>, body: object) => {
    const { status, data } = await world.send('POST', path, { key, body })
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(data)}`)
    return data
  }
  const events = ['charge.authorised', 'charge.captured']
  const hook = { url: `https://${SHOP}/hook`, events }
  const { secret } = v.parse(Webhook, await post('/v1/webhooks', secretly, hook))
  const token = v.parse(v.string(), await post('/v1/payment_sources/tokens', publicly, testCard))
  const order = { amount: '10.00', currency: 'AUD', token, reference: 'first-order' }
  const held = v.parse(Charge, await post('/v1/charges?capture=false', secretly, order))
  const path = `/v1/charges/${held._id}/capture`
  const taken = v.parse(Charge, await post(path, secretly, { amount: '7.50' }))
  refuseUnless([held.status, taken.status], ['pending', 'complete'])
  say('tokenised, 10.00 held, 7.50 captured through nginx and PgBouncer')
  await world.becomes('both webhooks', () => world.shop.received.length === events.length)
  for (const { body, headers } of world.shop.received) verifyWebhook(body, headers, secret)
  refuseUnless(world.shop.types(), events)
  refuseUnless([...new Set(world.proxy.asked)].toSorted(), [`${GATEWAY}:443`, `${SHOP}:443`])
  say(
    `${world.double.requests.length} requests as Adyen's schemas have them and 2 signed webhooks left through the egress proxy`,
  )
}

function refuseUnless(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}
