import { outputOf } from '../run.mjs'
import { show } from './trial.mjs'

/** What the container of that name is kept from, and what works in it all the same. */
export async function showConfinement(container) {
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
