import { spawn } from 'node:child_process'

// npm's own remarks on its configuration would drown what the commands say.
process.env.npm_config_loglevel ??= 'error'

/** What installs, builds and tests the service needs none of what only a running one may know. */
const SECRET = /^SVC_(?:VAULT_.+|METRICS_TOKEN|DATABASE_URL)$/

/** Runs a command with this terminal; rejects with its name when it fails. */
export async function run(command, parameters, options = {}) {
  const code = await exitCodeOf(command, parameters, options)
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${String(code)}`)
}

/** The exit code of a command, null when a signal ended it. */
export function exitCodeOf(command, parameters, options = {}) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env }
    for (const name of Object.keys(env)) if (SECRET.test(name)) delete env[name]
    const child = spawn(command, parameters, { stdio: 'inherit', ...options, env })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
}
