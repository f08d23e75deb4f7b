import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs the built operator's `rotate-vault`, which throws unless nothing is left under another key. */
export async function rotateVault(databaseUrl: string, vaultKeys: string): Promise<void> {
  const env = { ...process.env, SVC_DATABASE_URL: databaseUrl, SVC_VAULT_KEYS: vaultKeys }
  await promisify(execFile)(process.execPath, ['dist/service/operator.js', 'rotate-vault'], { env })
}
