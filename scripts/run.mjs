import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

// npm's messages about its configuration would hide the output of the commands.
process.env.npm_config_loglevel ??= 'error'

const SECRET =
  /^(?:SVC_(?:VAULT_.+|METRICS_TOKEN|DATABASE_URL|\w+_PROXY)|OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS)$/

/** Whether a variable is a secret of a running service: such are withheld from programs that install, build and test. */
export const isSecret = (name) => SECRET.test(name)

/** The path of a development tool's command: npx takes half a second of processor time to find it. */
export const tool = (name) => resolve(import.meta.dirname, '../node_modules/.bin', name)

/** Runs a command with this terminal; rejects with its name when it fails. */
export async function run(command, parameters, options = {}) {
  const code = await exitCodeOf(command, parameters, options)
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${String(code)}`)
}

/** The exit code of a command, null when a signal ended it. */
export function exitCodeOf(command, parameters, options = {}) {
  return endOf(start(command, parameters, { stdio: 'inherit', ...options }))
}

/** The exit code of a command, and all that it said. */
export async function outputOf(command, parameters, options = {}) {
  const child = start(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  const code = await endOf(child)
  return { code, output: Buffer.concat(chunks).toString() }
}

function start(command, parameters, options) {
  const env = { ...process.env, ...options.env }
  for (const name of Object.keys(env)) if (isSecret(name)) delete env[name]
  return spawn(command, parameters, { ...options, env })
}

/** The exit code of a process whose output has ended too. */
function endOf(child) {
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', (code) => settle(code))
  })
}
