import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseCardTraces } from '../../src/service/testing/card-traces.ts'

/**
 * Lets `work` use a folder that PostgreSQL's own account may enter. In the end no file in it, of the logs, the tables and
 * the journals, may hold a test card; then it is removed. After a failure it is kept.
 */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proof-'))
  chmodSync(folder, 0o711)
  try {
    await work(folder)
    refuseCardTraces(folder)
  } catch (error) {
    throw new Error(`see ${folder}`, { cause: error })
  }
  rmSync(folder, { recursive: true })
}
