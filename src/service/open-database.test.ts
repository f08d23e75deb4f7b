import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { databaseUrlFault, openDatabase } from './open-database.ts'
import { capturedLog } from './testing/captured-log.ts'

it.each([
  ['sandbox', false],
  ['production_svc', true],
])(
  'in %s the embedded PostgreSQL is warned of: %s',
  async (environment, isWarnedOf) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-open-'))
    chmodSync(dataDir, 0o711)
    const { log, logged } = capturedLog()
    const releases: (() => Promise<void>)[] = []
    const config = readConfig({
      SVC_ENVIRONMENT: environment,
      SVC_BASE_URL: 'https://pay.example.com',
      SVC_DATABASE_URL: 'embedded',
      SVC_DATA_DIR: dataDir,
      SVC_VAULT_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    })
    const { database } = await openDatabase(config, (release) => releases.push(release), log)
    await database.check()
    expect(logged().includes('the embedded PostgreSQL is for trials')).toBe(isWarnedOf)
    for (const release of releases.reverse()) await release()
    rmSync(dataDir, { recursive: true })
  },
  60_000,
)

it.each([
  [
    'unsupported startup parameter: statement_timeout',
    'unsupported startup parameter: statement_timeout. A PgBouncer needs ignore_startup_parameters = statement_timeout',
  ],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
])(
  'says where the database is and what went wrong, and of a pooler what it lacks: %s',
  (complaint, words) => {
    const { message } = databaseUrlFault('postgres://svc:secret@db.example:6432/svc', new Error(complaint))
    expect(message).toBe(`SVC_DATABASE_URL (db.example:6432/svc): ${words}`)
  },
)
