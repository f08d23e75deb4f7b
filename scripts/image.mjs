import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { baseImage } from './image/base-image.mjs'
import { CARD_NUMBER, merchantAt } from './image/charge.mjs'
import { showConfinement } from './image/confinement.mjs'
import { becomes, countShown, podman, show } from './image/trial.mjs'
import { outputOf, run } from './run.mjs'
import { useSupportedNode } from './supported-node.mjs'

/**
 * Builds the image of deploy/Dockerfile and runs it beside a PostgreSQL 15 (`npm run image`): read-only and without privileges it
 * takes a charge, drains, starts again and finds its data. Needs buildah and podman, and mmdebstrap where no registry answers.
 */
const IMAGE = 'localhost/card-service'
const DATABASE_IMAGE = 'localhost/card-service-trial-database'
const TRIAL = `card-service-trial-${process.pid}`
const DATABASE = `${TRIAL}-database`
/** Shorter than the sandbox takes for the slow hold: its answer comes when nothing new is accepted any more. */
const DRAIN_SECONDS = 2
/** Without networks and control groups of their own, containers run in nearly every sandbox. */
const ANYWHERE = ['--network=host', '--cgroups=disabled']
const CONFINED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

async function build() {
  const base = await baseImage()
  const common = [
    'build',
    '--isolation=chroot',
    '--network=host',
    '--format=docker',
    `--build-arg=NODE_IMAGE=${base}`,
  ]
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates !== undefined)
    common.push(
      `--secret=id=certificates,src=${certificates}`,
      '--build-arg=NODE_EXTRA_CA_CERTS=/run/secrets/certificates',
    )
  await run('buildah', [...common, '--file=deploy/Dockerfile', `--tag=${IMAGE}`, '.'])
  const database = ['--layers', '--file=scripts/image/database.Dockerfile', `--tag=${DATABASE_IMAGE}`]
  await run('buildah', [...common, ...database, 'scripts/image'])
  show('the image is built', true, `upon ${base}`)
}

async function freePort() {
  const server = createServer()
  await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address()
  await new Promise((settle) => server.close(settle))
  return port
}

const secretName = (name) => `${TRIAL}-${name}`

async function keepSecret(name, value) {
  await podman(['secret', 'create', '--env', secretName(name), 'VALUE'], { env: { VALUE: value } })
}

/** Secrets, as Compose and Kubernetes give them: files of the account that the service runs as. */
async function keepSecrets(databasePort) {
  const password = randomBytes(24).toString('hex')
  await keepSecret('database_password', password)
  await keepSecret('database_url', `postgres://svc:${password}@127.0.0.1:${databasePort}/postgres`)
  await keepSecret('vault_keys', `k1:${randomBytes(32).toString('base64')}`)
}

async function startDatabase(port) {
  const password = `--secret=${secretName('database_password')},target=database_password`
  const itself = [`--name=${DATABASE}`, '--tmpfs=/tmp:mode=1777', `--env=PORT=${port}`, password]
  await podman(['run', '--detach', ...ANYWHERE, ...itself, DATABASE_IMAGE])
  const isReady = () =>
    podman(['exec', DATABASE, 'pg_isready', '--quiet', '--host=127.0.0.1', `--port=${port}`])
  await becomes('', isReady)
  show('a PostgreSQL runs beside it', true, await podman(['exec', DATABASE, 'postgres', '--version']))
}

/** The parameters by which a container of the service runs. */
function serviceOptions(port, dashboardPort) {
  const settings = {
    SVC_ENVIRONMENT: 'sandbox',
    SVC_PORT: port,
    SVC_DASHBOARD_PORT: dashboardPort,
    SVC_DRAIN_SECONDS: DRAIN_SECONDS,
    SVC_DATABASE_URL_FILE: '/run/secrets/database_url',
    SVC_VAULT_KEYS_FILE: '/run/secrets/vault_keys',
  }
  const secrets = ['database_url', 'vault_keys'].map(
    (name) => `--secret=${secretName(name)},target=${name},uid=1000,gid=1000,mode=0400`,
  )
  return [
    ...ANYWHERE,
    ...CONFINED,
    ...secrets,
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
  ]
}

async function startService(options, address) {
  await podman(['run', '--rm', ...options, IMAGE, 'migrate'])
  show('svc migrate makes the schema', true)
  await podman(['run', '--detach', `--name=${TRIAL}`, ...options, IMAGE, 'start', '--no-migrate'])
  await becomes(200, () => health(address))
  show('svc start serves', true)
}

const health = async (address) => (await fetch(`${address}/health`)).status
const inside = (...command) => outputOf('podman', ['exec', TRIAL, ...command])

async function showDocuments(address) {
  for (const path of ['/sdk/latest/widget.umd.min.js', '/openapi.json', '/docs/'])
    show(`it serves ${path}`, (await fetch(address + path)).status === 200)
}

async function takeCharge(merchant) {
  const held = await merchant.hold('10.00')
  show('a card is held', held.status === 201 && held.data.status === 'pending')
  const captured = await merchant.capture(held.data._id, '7.50')
  show('a part is captured', captured.status === 201 && captured.data.status === 'complete')
  return held.data._id
}

/** Stops the service while a hold is under way. */
async function drain(merchant, address) {
  const slow = merchant.hold('9000.92')
  await pause(800)
  await podman(['kill', '--signal=TERM', TRIAL])
  await becomes(503, () => health(address))
  const [meanwhile, checked] = await Promise.all([
    merchant.hold('11.00'),
    outputOf('podman', ['healthcheck', 'run', TRIAL]),
  ])
  show('after SIGTERM its health is 503, and requests are answered', meanwhile.status === 201)
  show(
    'its health check passes meanwhile, so that nothing restarts it',
    checked.code === 0,
    checked.output.trim(),
  )
  const answer = await slow
  show('the request under way is answered', answer.status === 201 && answer.data.status === 'pending')
  show('it ends with 0', (await podman(['wait', TRIAL])) === '0')
  return answer.data._id
}

async function startAgain(merchant, address, captured, held) {
  await podman(['start', TRIAL])
  await becomes(200, () => health(address))
  const [first, second] = await Promise.all([merchant.read(captured), merchant.read(held)])
  show(
    'started again, it has both charges',
    first.data.status === 'complete' && second.data.status === 'pending',
  )
  const taken = await merchant.capture(held, '9000.00')
  show('what was held before is captured', taken.status === 201)
}

async function showSecrecy() {
  const log = await podman(['logs', TRIAL])
  show('its log holds no card number', log.length > 0 && !log.includes(CARD_NUMBER))
}

/** What the image weighs, by the places of the service in it. */
async function report() {
  const places = ['/app/node_modules', '/app/dist', '/app/releases', '/usr/local/lib/node_modules']
  const sizes = await inside('du', '-sm', ...places)
  const whole = Number(await podman(['image', 'inspect', '--format={{.Size}}', IMAGE])) / 1e6
  console.log(`image: ${IMAGE}, ${Math.round(whole)} MB; of it in MB:\n${sizes.output.trimEnd()}`)
}

async function trial() {
  const [port, dashboardPort, databasePort] = [await freePort(), await freePort(), await freePort()]
  const address = `http://127.0.0.1:${port}`
  await keepSecrets(databasePort)
  await startDatabase(databasePort)
  await startService(serviceOptions(port, dashboardPort), address)
  await showConfinement(TRIAL)
  await showDocuments(address)
  const added = await inside('svc', 'merchants', 'add', '--name=Acme', '--pre-auth', '--json')
  const merchant = merchantAt(address, JSON.parse(added.output))
  const captured = await takeCharge(merchant)
  const held = await drain(merchant, address)
  await startAgain(merchant, address, captured, held)
  await showSecrecy()
  await report()
}

/** Removes what the trial made, except for the images. */
async function remove() {
  await outputOf('podman', ['rm', '--force', '--volumes', TRIAL, DATABASE])
  const secrets = ['database_password', 'database_url', 'vault_keys'].map(secretName)
  await outputOf('podman', ['secret', 'rm', ...secrets])
}

await useSupportedNode()
process.chdir(resolve(import.meta.dirname, '..'))
try {
  await build()
  await trial()
  console.log(`image: all ${countShown()} shown`)
} catch (error) {
  console.error(`image: ${error.message}`)
  const { output } = await outputOf('podman', ['logs', '--tail=20', TRIAL])
  console.error(output)
  process.exitCode = 1
} finally {
  await remove()
}
