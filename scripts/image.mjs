import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildImages, IMAGE } from './image/build-images.mjs'
import {
  freePort,
  optionsHere,
  removeContainers,
  SECRET_FOLDER,
  SERVICE,
  startDatabase,
  startService,
} from './image/containers.mjs'
import { becomes, countShown, podman, show } from './image/trial.mjs'
import { outputOf } from './run.mjs'
import { useSupportedNode } from './supported-node.mjs'

/** A test card that the sandbox approves. */
const CARD_NUMBER = '5111111111111118'

/** Calls of a merchant at a service, as its page and its server make them. `keys` is what `svc merchants add` shows. */
function merchantAt(address, keys) {
  async function call(path, { key, body, method = body === undefined ? 'GET' : 'POST' }) {
    const headers = { 'content-type': 'application/json', ...key }
    const answer = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) })
    const { resource } = await answer.json()
    return { status: answer.status, data: resource?.data }
  }
  const secret = { 'x-user-secret-key': keys.secret_key }

  async function token() {
    const card = { card_number: CARD_NUMBER, expire_month: '01', expire_year: '39', card_ccv: '100' }
    const key = { 'x-user-public-key': keys.public_key }
    return (
      await call('/v1/payment_sources/tokens', {
        key,
        body: { type: 'card', card_name: 'Grace Hopper', ...card },
      })
    ).data
  }

  return {
    /** Holds an amount on a card that is typed now. An amount of 9000.92 is answered after 3 s. */
    async hold(amount) {
      const body = { amount, currency: 'AUD', token: await token(), reference: 'image-trial' }
      return call('/v1/charges?capture=false', { key: secret, body })
    },
    capture: (id, amount) => call(`/v1/charges/${id}/capture`, { key: secret, body: { amount } }),
    read: (id) => call(`/v1/charges/${id}`, { key: secret }),
  }
}

/**
 * Builds the image of deploy/Dockerfile and runs it beside a PostgreSQL 15 (`npm run image`; with `-- --built` the image that is there):
 * read-only and without privileges it takes a charge, drains, starts again and finds its data. Needs buildah and podman, and
 * mmdebstrap where no registry answers.
 */
const settingsAt = (port, dashboardPort) => ({
  SVC_PORT: port,
  SVC_DASHBOARD_PORT: dashboardPort,
  SVC_SANDBOX_BANK_PORT: 0,
  // Shorter than a slow hold takes: one that begins meanwhile is answered when nothing new is accepted any more.
  SVC_DRAIN_SECONDS: 2,
  SVC_DATABASE_URL_FILE: `${SECRET_FOLDER}/database_url`,
  SVC_VAULT_KEYS_FILE: `${SECRET_FOLDER}/vault_keys`,
})

const statusOf = async (address) => (await fetch(address)).status

async function showDocuments(address) {
  for (const path of ['/sdk/latest/widget.umd.min.js', '/openapi.json', '/docs'])
    show(`it serves ${path}`, (await statusOf(address + path)) === 200)
}

async function addMerchant(address) {
  const added = await podman([
    'exec',
    SERVICE,
    'svc',
    'merchants',
    'add',
    '--name=Acme',
    '--pre-auth',
    '--json',
  ])
  return merchantAt(address, JSON.parse(added))
}

async function takeCharge(merchant) {
  const held = await merchant.hold('10.00')
  show('a card is held', held.status === 201 && held.data.status === 'pending')
  const captured = await merchant.capture(held.data._id, '7.50')
  show('a part is captured', captured.status === 201 && captured.data.status === 'complete')
  return held.data._id
}

/** Stops the service while a hold is under way, whose id is returned; another one begins while it drains. Both take 3 s. */
async function drain(merchant, address) {
  const slow = merchant.hold('9000.92')
  await pause(800)
  await podman(['kill', '--signal=TERM', SERVICE])
  await becomes(503, () => statusOf(`${address}/health`))
  const [meanwhile, checked] = await Promise.all([
    merchant.hold('9001.92'),
    outputOf('podman', ['healthcheck', 'run', SERVICE]),
  ])
  show('after SIGTERM its health is 503, and what comes then is answered', meanwhile.status === 201)
  show('its health check passes meanwhile, so that nothing restarts it', checked.code === 0)
  const answer = await slow
  show('what was under way is answered', answer.status === 201 && answer.data.status === 'pending')
  show('it ends with 0', (await podman(['wait', SERVICE])) === '0')
  return answer.data._id
}

async function startAgain(merchant, address, captured, held) {
  await podman(['start', SERVICE])
  await becomes(200, () => statusOf(`${address}/health`))
  const [first, second] = await Promise.all([merchant.read(captured), merchant.read(held)])
  show(
    'started again, it has both charges',
    first.data.status === 'complete' && second.data.status === 'pending',
  )
  const taken = await merchant.capture(held, '9000.00')
  show('what was held before is captured', taken.status === 201)
}

async function showLog() {
  const log = await podman(['logs', SERVICE])
  show('its log says that it drained, and no card number', /drain/i.test(log) && !log.includes(CARD_NUMBER))
}

async function report() {
  const places = ['/app/dist', '/app/node_modules', '/app/releases', '/usr/local/lib/node_modules']
  const sizes = await podman(['exec', SERVICE, 'du', '-sm', ...places])
  const whole = Number(await podman(['image', 'inspect', '--format={{.Size}}', IMAGE])) / 1e6
  console.log(`${IMAGE}: ${Math.round(whole)} MB, of these:\n${sizes}`)
}

async function trial() {
  const [port, dashboardPort, databasePort] = [await freePort(), await freePort(), await freePort()]
  const address = `http://127.0.0.1:${port}`
  const here = await optionsHere()
  await startDatabase(here, databasePort)
  await startService(here, settingsAt(port, dashboardPort))
  await becomes(200, () => statusOf(`${address}/health`))
  show('svc start serves', true, here.join(' '))
  await showConfinement(SERVICE)
  await showDocuments(address)
  const merchant = await addMerchant(address)
  const captured = await takeCharge(merchant)
  const held = await drain(merchant, address)
  await startAgain(merchant, address, captured, held)
  await showLog()
  await report()
}

await useSupportedNode()
process.chdir(resolve(import.meta.dirname, '..'))
try {
  if (!process.argv.includes('--built')) await buildImages()
  await trial()
  console.log(`image: all ${countShown()} shown`)
} catch (error) {
  const { output } = await outputOf('podman', ['logs', '--tail=20', SERVICE])
  console.error(`${output}\nimage: ${error.message}`)
  process.exitCode = 1
} finally {
  await removeContainers()
}

/** What the container of that name is kept from, and what works in it all the same. */
async function showConfinement(container) {
  const inside = (...command) => outputOf('podman', ['exec', container, ...command])
  const account = await inside('sh', '-c', 'id -u; grep ^CapEff /proc/1/status')
  show('it runs as an account without privileges', /^1000\nCapEff:\s+0{16}\n$/.test(account.output))
  const places = ['/app', '/tmp', '/home/node', '/usr/local/bin']
  const written = await inside('touch', ...places.map((place) => `${place}/file`))
  const refusals = written.output.match(/Read-only file system/g)?.length
  show('its file system cannot be written', refusals === places.length)
  const limits = await inside('grep', 'core file', '/proc/1/limits')
  show('it leaves no core dump', /size\s+0\s+0\s/.test(limits.output))
  const version = await inside('svc', '--version')
  show('svc is a command in it', version.code === 0, version.output.trim())
  show('its health check passes', (await outputOf('podman', ['healthcheck', 'run', container])).code === 0)
}
