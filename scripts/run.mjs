import { spawn } from 'node:child_process'

/** Runs a command with this terminal; rejects with its name when it fails. */
export function run(command, parameters, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${parameters.join(' ')} ended with ${String(code)}`))
    })
  })
}
