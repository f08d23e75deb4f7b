import { outputOf } from '../run.mjs'
import { show } from './trial.mjs'

const inside = (container, ...command) => outputOf('podman', ['exec', container, ...command])

/** What the container of that name is kept from, and what works in it all the same. */
export async function showConfinement(container) {
  const account = await inside(container, 'sh', '-c', 'id -u; grep ^CapEff /proc/1/status')
  show('it runs as an account without privileges', /^1000\nCapEff:\s+0{16}\n$/.test(account.output))
  const write = await inside(
    container,
    'sh',
    '-c',
    'for place in /app /tmp /home/node /dev/shm; do touch $place/file; done',
  )
  const refusals = write.output.match(/Read-only file system/g)?.length ?? 0
  show('no place of its file system can be written', refusals >= 3, `${refusals} of 4 tried are read-only`)
  const limits = await inside(container, 'grep', 'core file', '/proc/1/limits')
  show('it leaves no core dump', /size\s+0\s+0\s/.test(limits.output))
  const child = await inside(container, 'svc', '--version')
  show('svc is a command there', child.code === 0, child.output.trim())
  show('its health check passes', (await outputOf('podman', ['healthcheck', 'run', container])).code === 0)
}
