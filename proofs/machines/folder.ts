import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseTraces } from '../../src/service/testing/traces.ts'

/** Registers what is to be closed when the work has ended or failed. */
export type AtEnd = (close: () => Promise<void> | void) => void

/**
 * Lets `work` use a folder that PostgreSQL's own account may enter. What it gives to `atEnd` is closed afterwards, the last
 * first. In the end no file in the folder (logs, tables, write-ahead logs) may contain a test card; then it is removed. After a
 * failure it is kept.
 */
export async function inFolder(work: (folder: string, atEnd: AtEnd) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proof-'))
  chmodSync(folder, 0o711)
  const closings: (() => Promise<void> | void)[] = []
  const faults: unknown[] = []
  const noting = (done: Promise<unknown>) => done.catch((fault: unknown) => faults.push(fault))
  await noting(work(folder, (close) => closings.unshift(close)))
  for (const close of closings) await noting(Promise.resolve().then(close))
  if (faults.length === 0) await noting(Promise.resolve().then(() => refuseTraces(folder)))
  if (faults.length > 0) throw new Error(`see ${folder}`, { cause: faults[0] })
  rmSync(folder, { recursive: true })
}
