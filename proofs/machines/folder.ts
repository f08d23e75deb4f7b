import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Lets `work` use a folder that PostgreSQL's own account may enter, and removes it; after a failure it is kept, with the
 * logs and the database in it.
 */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proof-'))
  chmodSync(folder, 0o711)
  try {
    await work(folder)
  } catch (error) {
    throw new Error(`see ${folder}`, { cause: error })
  }
  rmSync(folder, { recursive: true })
}
