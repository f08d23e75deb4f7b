import { spawn } from 'node:child_process'

// npm's own remarks on its configuration would drown what the commands say.
process.env.npm_config_loglevel ??= 'error'

/** Runs a command with this terminal; rejects with its name when it fails. */
export async function run(command, parameters, options = {}) {
  const code = await exitCodeOf(command, parameters, options)
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${String(code)}`)
}

/** The exit code of a command, null when a signal ended it. */
export function exitCodeOf(command, parameters, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
}
