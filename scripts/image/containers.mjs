import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { outputOf } from '../run.mjs'
import { DATABASE_IMAGE, IMAGE } from './build-images.mjs'
import { becomes, podman, show } from './trial.mjs'

/** The container of the service. */
export const SERVICE = `card-service-trial-${process.pid}`
const DATABASE = `${SERVICE}-database`
const VOLUME = `${SERVICE}-secrets`
/** Where the service finds `database_url` and `vault_keys`; a folder that the image has. */
export const SECRET_FOLDER = '/mnt'
const SECRETS = ['database_password', 'database_url', 'vault_keys']
const secretName = (name) => `${SERVICE}-${name}`

/** Sandboxes differ in what they forbid: the first of these ways that works is taken. */
const WAYS = [[], ['--runtime=runc'], ['--cgroups=disabled']]
/** No network of its own, no timer of systemd, and no more files and processes than every sandbox allows. */
const ANYWHERE = [
  '--network=host',
  '--health-interval=disable',
  '--ulimit=nofile=8192:8192',
  '--ulimit=nproc=4096:4096',
]
const CONFINED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

/** The options of `podman run` by which containers run on this machine. Says which ways it forbids. */
export async function optionsHere() {
  for (const way of WAYS) {
    const { code, output } = await outputOf('podman', [
      'run',
      '--rm',
      ...way,
      ...ANYWHERE,
      IMAGE,
      '--version',
    ])
    if (code === 0) return [...way, ...ANYWHERE]
    console.log(
      `  ${['podman run', ...way].join(' ')} is forbidden here: ${output.trim().split('\n').at(-1)}`,
    )
  }
  throw new Error('Containers run here in none of the known ways.')
}

export async function freePort() {
  const server = createServer()
  await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address()
  await new Promise((settle) => server.close(settle))
  return port
}

/** Starts a PostgreSQL at a port, and keeps the secrets for it and for the service as podman's. */
export async function startDatabase(here, port) {
  const password = randomBytes(24).toString('hex')
  const values = {
    database_password: password,
    database_url: `postgres://svc:${password}@127.0.0.1:${port}/postgres`,
    vault_keys: `k1:${randomBytes(32).toString('base64')}`,
  }
  for (const name of SECRETS)
    await podman(['secret', 'create', '--env', secretName(name), 'VALUE'], { VALUE: values[name] })
  const secret = `--secret=${secretName('database_password')},target=database_password`
  const itself = [`--name=${DATABASE}`, '--tmpfs=/tmp:mode=1777', `--env=PORT=${port}`, secret]
  await podman(['run', '--detach', ...here, ...itself, DATABASE_IMAGE])
  const answers = () =>
    podman(['exec', DATABASE, 'pg_isready', '--quiet', '--host=127.0.0.1', `--port=${port}`])
  await becomes('', answers)
  show('a PostgreSQL runs beside it', true, await podman(['exec', DATABASE, 'postgres', '--version']))
}

/** Puts the secrets of the service into a volume, as files that its account alone reads: a read-only container gets no others. */
async function keepSecretFiles(here) {
  const secrets = ['database_url', 'vault_keys'].map((name) => `--secret=${secretName(name)},target=${name}`)
  const asRoot = ['--rm', '--user=0', '--entrypoint=/bin/sh', `--volume=${VOLUME}:${SECRET_FOLDER}`]
  const copy = `cp /run/secrets/* ${SECRET_FOLDER} && chown 1000 ${SECRET_FOLDER}/* && chmod 400 ${SECRET_FOLDER}/*`
  await podman(['run', ...asRoot, ...here, ...secrets, IMAGE, '-c', copy])
}

/** Makes the schema and starts the service, confined, with its secrets as files. */
export async function startService(here, settings) {
  await keepSecretFiles(here)
  const env = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`)
  const options = [...here, ...CONFINED, `--volume=${VOLUME}:${SECRET_FOLDER}:ro`, ...env]
  await podman(['run', '--rm', ...options, IMAGE, 'migrate'])
  show('svc migrate makes the schema', true)
  await podman(['run', '--detach', `--name=${SERVICE}`, ...options, IMAGE, 'start', '--no-migrate'])
}

/** Removes all that was started, but no image. */
export async function removeContainers() {
  await outputOf('podman', ['rm', '--force', '--ignore', '--time=0', '--volumes', SERVICE, DATABASE])
  await outputOf('podman', ['secret', 'rm', ...SECRETS.map(secretName)])
  await outputOf('podman', ['volume', 'rm', VOLUME])
}
