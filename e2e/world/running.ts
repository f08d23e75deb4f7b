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
  /** An address that answers 200 once it is ready. */
  readyUrl: string
}

const START_TIMEOUT_MS = 30_000

/** Starts a program and waits until it answers. */
export async function startProgram({
  file,
  environment,
  logFile,
  readyUrl,
}: ProgramOptions): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const ended = once(child, 'exit')
  for (let waited = 0; !(await answers(readyUrl)); waited += 50) {
    if (child.exitCode !== null || waited > START_TIMEOUT_MS)
      throw new Error(`${file} did not start: see ${logFile}`)
    await sleep(50)
  }
  return {
    child,
    async stop(signal) {
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
