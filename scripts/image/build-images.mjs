import { baseImage } from './base-image.mjs'
import { run } from '../run.mjs'
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
