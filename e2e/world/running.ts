import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A built program that runs as its own process. */
export interface Running {
  child: ChildProcess
  stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

interface ProgramOptions {
  file: string
  environment: Record<string, string>
  /** Receives its output. */
  logFile: string
}

const START_TIMEOUT_MS = 90_000

/** Starts a program and waits until it says that it is ready. */
export async function startProgram({ file, environment, logFile }: ProgramOptions): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  let lastWords = ''
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  child.stderr?.on('data', (chunk: Buffer) => (lastWords = chunk.toString().trim()))
  const ended = once(child, 'exit')
  // Not by asking at its port, where another service may answer.
  const isReady = await Promise.race([
    once(child, 'message').then(() => true),
    ended.then(() => false),
    sleep(START_TIMEOUT_MS, false, { ref: false }),
  ])
  if (!isReady) throw new Error(`${file} did not start: ${lastWords} (see ${logFile})`)
  return {
    child,
    async stop(signal) {
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}
