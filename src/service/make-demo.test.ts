import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { makeDemo } from './make-demo.ts'
import { capturedLog } from './testing/captured-log.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { createTestService } from './testing/test-service.ts'
import { testStatement } from './testing/test-statement.ts'

const merchants = testStatement<{ name: string }>('t_merchants', 'SELECT name FROM merchants')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A service on an empty database: the one that other tests use has a merchant. */
async function emptyService() {
  const database = await createMigratedDatabase()
  const service = await createTestService({ database })
  await database.script('TRUNCATE merchants CASCADE')
  return service
}

it('two processes that share a folder and start at once make one demo merchant', async () => {
  const service = await emptyService()
  const { log } = capturedLog()
  const config = readConfig({ SVC_DATA_DIR: join(folder, 'new') })
  await Promise.all([makeDemo(service, config, log), makeDemo(service, config, log)])
  expect(await service.database.run(merchants, [])).toHaveLength(1)
  expect(readFileSync(join(folder, 'new', 'demo.json'), 'utf8')).toMatch(/"client_secret": "cs_/)
  await service.close()
  await service.database.close()
})

it('without a folder that can be written no merchant is made, and the log says why', async () => {
  const service = await emptyService()
  const { log, logged } = capturedLog()
  await makeDemo(service, readConfig({ SVC_DATA_DIR: '/proc/svc/data' }), log)
  expect(await service.database.run(merchants, [])).toHaveLength(0)
  expect(logged()).toMatch(/SVC_DATA_DIR cannot be written/)
  expect(existsSync('/proc/svc')).toBe(false)
  await service.close()
  await service.database.close()
})
