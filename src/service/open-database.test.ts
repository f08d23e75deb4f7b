import { expect, inject, it } from 'vitest'
import { databaseUrlFault, openDatabase } from './open-database.ts'
import { migrate } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'
import { startFault } from './run-service.ts'
import { capturedLog } from './testing/captured-log.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { testStatement } from './testing/test-statement.ts'

it.each([
  [
    'unsupported startup parameter: options',
    "unsupported startup parameter: options. Leave that parameter out of the URL, or add it to the pooler's ignore_startup_parameters",
  ],
  [
    'password authentication failed for user "svc"',
    'password authentication failed for user "svc". Look at the user and its password; special characters are given by their codes (% as %25, / as %2F, ? as %3F, @ as %40)',
  ],
  ['something else', 'something else'],
])('says where the database is, what went wrong, and what cures it: %s', (complaint, words) => {
  const fault = databaseUrlFault('postgres://svc:secret@db.example:6432/svc', new Error(complaint))
  expect(String(fault)).toBe(`ConfigError: SVC_DATABASE_URL (db.example:6432/svc): ${words}`)
})

it('a schema with a step of a later version is refused in one line that says what to start', async () => {
  const database = await createMigratedDatabase()
  const step = { version: '9999-of-the-future', sql: 'CREATE TABLE of_the_future (id int)' }
  await migrate(database, [...migrations, step])
  const own = testStatement<{ name: string }>('t_own_name', 'SELECT current_database() AS name')
  const [row] = await database.run(own, [])
  await database.close()
  const url = inject('connectionString').replace('/postgres?', `/${row?.name ?? ''}?`)
  const releases: (() => Promise<void>)[] = []
  const opening = openDatabase(url, (release) => releases.push(release), capturedLog().log)
  const fault: unknown = await opening.catch((error: unknown) => error)
  expect(startFault(fault)).toMatch(/newer than this version.*9999-of-the-future\): start the version/)
  for (const release of releases) await release()
})
