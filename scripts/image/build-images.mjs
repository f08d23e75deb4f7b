import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, outputOf } from '../run.mjs'
import { show } from './trial.mjs'

export const IMAGE = 'localhost/card-service'
export const DATABASE_IMAGE = 'localhost/card-service-trial-database'

/** Builds the image of the service, and that of the PostgreSQL which it is tried with. */
export async function buildImages() {
  const base = await baseImage()
  await build(base, ['--file=deploy/Dockerfile', `--tag=${IMAGE}`, ...proxyOptions(), '.'])
  const database = ['--layers', '--file=scripts/image/database.Dockerfile', `--tag=${DATABASE_IMAGE}`]
  await build(base, [...database, 'scripts/image'])
  show('the image is built', true, `upon ${base}`)
}

function build(base, parameters) {
  const common = ['--isolation=chroot', '--network=host', '--format=docker', `--build-arg=NODE_IMAGE=${base}`]
  return run('buildah', ['build', ...common, ...parameters])
}

/** A machine whose Node is told of more certificates reaches npm's registry by these alone. */
function proxyOptions() {
  const file = process.env.NODE_EXTRA_CA_CERTS
  if (file === undefined) return []
  const inBuild = '--build-arg=NODE_EXTRA_CA_CERTS=/run/secrets/certificates'
  return [`--secret=id=certificates,src=${file}`, inBuild]
}

const DOCKERFILE = 'deploy/Dockerfile'
const NPM = 'npm@11'
const PROCESSORS = { x64: 'linux-x64', arm64: 'linux-arm64' }

/**
 * The name of the image that the Dockerfile builds upon: the official one, or, where no registry of images answers, one of the same
 * Debian, Node and account, made of Debian's packages and of the Node that npm has.
 */
async function baseImage() {
  const official = /^ARG NODE_IMAGE=(\S+)$/m.exec(await readFile(DOCKERFILE, 'utf8'))[1]
  const { code, output } = await outputOf('podman', ['pull', '--quiet', official])
  if (code === 0) return official
  console.log(`${official} cannot be had here:\n  ${output.trim().split('\n').at(-1)}`)
  const version = /:(\d+\.\d+\.\d+)-/.exec(official)[1]
  const own = `localhost/card-service-base:${version}`
  if ((await outputOf('podman', ['image', 'exists', own])).code !== 0) await makeBase(own, version)
  return own
}

async function makeBase(image, nodeVersion) {
  console.log(`making ${image}: Debian 12 by mmdebstrap, Node ${nodeVersion} from npm …`)
  const folder = await mkdtemp(join(tmpdir(), 'card-service-base-'))
  const programs = join(folder, 'programs')
  const root = join(folder, 'root.tar')
  try {
    const node = `node-${PROCESSORS[process.arch]}@${nodeVersion}`
    await run('npm', ['install', '--global', '--prefix', programs, '--no-audit', '--no-fund', node, NPM])
    await run('mmdebstrap', [
      '--quiet',
      '--variant=minbase',
      ...['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      '--customize-hook=chroot "$1" useradd --uid 1000 --user-group --create-home --shell /bin/bash node',
      `--customize-hook=tar -C "${programs}" -c . | tar -C "$1/usr/local" -x --no-same-owner`,
      'bookworm',
      root,
    ])
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    await run('podman', ['import', '--quiet', '--change', `ENV PATH=${path}`, root, image])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
