import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, SpawnOptions, SpawnSyncOptions } from 'node:child_process'
import { environmentOfPrograms } from '../environment.ts'

/**
 * Starts another program. Of our environment it gets what any program needs, and none of our settings and secrets. One that can't be
 * started, or a pipe to it that breaks, ends no process: its caller gets the fault.
 */
export function startProgram(
  command: string,
  parameters: readonly string[],
  options: Omit<SpawnOptions, 'env'>,
): ChildProcess {
  const program = spawn(command, parameters, { ...options, env: environmentOfPrograms() })
  for (const emitter of [program, program.stdin, program.stdout, program.stderr])
    emitter?.on('error', () => undefined)
  return program
}

/** How a program ended: its exit code, null when it could not be started or was killed, and what it said. */
interface End {
  code: number | null
  output: string
  complaint: string
}

/** Runs another program to its end, in the same environment as `startProgram`. */
export function runProgram(
  command: string,
  parameters: readonly string[],
  options: Omit<SpawnSyncOptions, 'env' | 'encoding'> = {},
): End {
  const end = spawnSync(command, parameters, { ...options, encoding: 'utf8', env: environmentOfPrograms() })
  const complaint = end.error === undefined ? textOf(end.stderr) : end.error.message
  return { code: end.status, output: textOf(end.stdout), complaint }
}

/** There is no text of a stream that was not piped. */
function textOf(said: string | null): string {
  return said?.trim() ?? ''
}

/** Collects what a program says on its error output, its last 4,000 characters, and why it could not be started. */
export function complaintsOf(program: ChildProcess): () => string {
  let text = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000)
  })
  program.once('error', (error) => {
    text += error.message
  })
  return () => text.trim()
}

/** The one line of a program's complaints that says why it could not go on; else the last one. */
export function reasonIn(complaints: string): string {
  const lines = complaints.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.find((line) => /\b(?:PANIC|FATAL|error):/.test(line)) ?? lines.at(-1)
  return reason?.trim() ?? 'it said nothing'
}

/** Waits for a program's end and its exit code; one that takes longer is killed, and that is an error. */
export function endOf(program: ChildProcess, timeoutMs: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      program.kill('SIGKILL')
      reject(new Error(`${program.spawnfile} did not end in ${timeoutMs} ms`))
    }, timeoutMs)
    program.once('error', reject)
    program.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}
