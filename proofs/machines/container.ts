import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDirOf, startService } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'

const MAX_TAKEOVER_MS = 60_000

/**
 * A container, as far as matters to a lock: it has its own processes, mounts and IPC, and with `withNetwork` its own loopback; only
 * the folder is shared. The program is its first process, so killing that ends everything inside.
 */
function containerOf(withNetwork: boolean): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-current-user']),
    ...['--pid', '--fork', '--kill-child', '--mount-proc', '--ipc'],
    ...(withNetwork ? ['--net'] : []),
  ]
}

/** Why no containers can be made here; null where they can. */
export function whyNoContainers(): string | null {
  const { status, stderr, error } = spawnSync('env', [...containerOf(true), 'true'], { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim())
}

/** Starts a service in a container, on the shared data folder. The loopback is shared too, as the clients have to reach it. */
function optionsFor(folder: string, number: number) {
  return { folder, number, inside: containerOf(false), settings: { SVC_DATA_DIR: dataDirOf(folder) } }
}

export function startInContainer(folder: string, number: number): Promise<ServiceProcess> {
  return startService(optionsFor(folder, number))
}

/** Starts a service again and again until it gets the data folder, as an orchestrator does; says how long that took. */
export async function takeOver(
  folder: string,
  number: number,
): Promise<{ service: ServiceProcess; ms: number }> {
  const begin = performance.now()
  for (;;) {
    try {
      const service = await startInContainer(folder, number)
      return { service, ms: performance.now() - begin }
    } catch (error) {
      if (performance.now() - begin > MAX_TAKEOVER_MS) throw error
      await sleep(100)
    }
  }
}

/** Throws unless a service in another container, with its own loopback, is refused in one line; returns how long that took, in ms. */
export async function refusal(folder: string): Promise<number> {
  const begin = performance.now()
  const run = ['dist/service/sandbox.js']
  const child = spawn('env', [...containerOf(true), process.execPath, ...run], {
    env: { ...process.env, SVC_DATA_DIR: dataDirOf(folder), SVC_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_TAKEOVER_MS)
  const [words] = await Promise.all([text(child.stderr), once(child, 'exit')])
  clearTimeout(timer)
  if (child.exitCode !== 1 || !/^svc: .* is in use by another service .*SVC_DATA_DIR\.\n$/.test(words))
    throw new Error(`the second service ended with ${String(child.exitCode)} and said: ${words}`)
  return performance.now() - begin
}
