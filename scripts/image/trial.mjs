import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
let shown = 0

/** Ends the trial with an error unless what was to be shown is so. What was found is printed with it. */
export function show(rule, isSo, found = '') {
  const words = found === '' ? rule : `${rule}: ${found}`
  if (!isSo) throw new Error(`This is not so: ${words}`)
  shown += 1
  console.log(`  ✓ ${words}`)
}

export const countShown = () => shown

/** What podman prints, without its warnings. Rejects with these when it fails. `env` is added to the environment. */
export async function podman(parameters, env = {}) {
  const { stdout } = await execute('podman', parameters, { env: { ...process.env, ...env } })
  return stdout.trim()
}

/** Asks until the answer is the wanted one, for 60 s. Rejects with the last answer or failure. */
export async function becomes(wanted, ask) {
  const end = Date.now() + 60_000
  for (;;) {
    const found = await ask().catch((error) => error.message)
    if (found === wanted) return
    if (Date.now() > end) throw new Error(`after 60 s: ${found}, not ${wanted}`)
    await new Promise((settle) => setTimeout(settle, 100))
  }
}
