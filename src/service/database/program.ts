import type { ChildProcess } from 'node:child_process'

/** Collects what a program says on its error output, its last 4,000 characters. */
export function complaintsOf(program: ChildProcess): () => string {
  let text = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000)
  })
  return () => text.trim()
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
