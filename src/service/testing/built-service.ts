import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { build } from 'vite'

/** The service's programs, built as `npm run build` builds them. */
export interface BuiltService {
  /** Where they are. */
  folder: string
  /** Starts one in a process of its own, with these settings and no others. */
  start: (program: 'main' | 'sandbox' | 'svc', given?: Given) => StartedProgram
  /** Ends what still runs, and removes the programs. */
  remove: () => void
}

interface Given {
  parameters?: readonly string[]
  settings?: Readonly<Record<string, string>>
  /** Options of Node. */
  options?: readonly string[]
  /** Where its output goes; it is read where this is left out. */
  output?: Partial<Record<'stdout' | 'stderr', number>>
  /** The mask for new files that it begins with. */
  umask?: number
}

interface StartedProgram {
  pid: number
  /** Resolves once the service serves; rejects, with what it complained of, when it ends before. */
  ready: Promise<void>
  /** Its exit code, null after a signal. */
  ended: Promise<number | null>
  kill: (signal: NodeJS.Signals) => void
  /** All that it wrote, once it has ended. */
  said: Promise<string>
  complained: Promise<string>
}

/** Takes a second or two; builds into a folder of its own. */
export async function buildService(): Promise<BuiltService> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-built-'))
  await build({ mode: 'service', logLevel: 'error', build: { outDir: join(folder, 'dist/service') } })
  for (const name of ['node_modules', 'releases', 'package.json'])
    if (existsSync(name)) symlinkSync(resolve(name), join(folder, name))
  const started: StartedProgram[] = []
  return {
    folder: join(folder, 'dist/service'),
    start(program, given = {}) {
      const running = start(join(folder, 'dist/service', `${program}.js`), given)
      started.push(running)
      return running
    },
    remove() {
      for (const { kill } of started) kill('SIGKILL')
      rmSync(folder, { recursive: true })
    },
  }
}

function start(file: string, given: Given): StartedProgram {
  const { parameters = [], settings = {}, options = [], umask } = given
  const before = umask === undefined ? undefined : process.umask(umask)
  const child = spawn(process.execPath, [...options, file, ...parameters], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', given.output?.stdout ?? 'pipe', given.output?.stderr ?? 'pipe', 'ipc'],
  })
  if (before !== undefined) process.umask(before)
  const ended = once(child, 'exit').then(() => child.exitCode)
  const [said, complained] = [wholeTextOf(child.stdout), wholeTextOf(child.stderr)]
  const neverReady = async (code: number | null) => {
    throw new Error(`ended with ${String(code)}: ${await complained}`)
  }
  const ready = Promise.race([once(child, 'message').then(() => undefined), ended.then(neverReady)])
  ready.catch(() => undefined)
  return { pid: child.pid ?? 0, ready, ended, said, complained, kill: (signal) => void child.kill(signal) }
}

/** Empty where it is not read here. */
async function wholeTextOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream)
}
