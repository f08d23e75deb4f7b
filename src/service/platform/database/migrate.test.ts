import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { migrate, refuseNewerSchema, requireSchema, schemaSteps } from './migrate.ts'
import { migrations } from './migrations.ts'
import { testStatement } from '../../testing/test-statement.ts'

describe('migrations', () => {
  it('run once, also when many processes start at once', async () => {
    const database = await createTestDatabase()
    await Promise.all(Array.from({ length: 4 }, () => migrate(database, migrations)))
    const applied = testStatement<{ version: string }>(
      't_applied',
      'SELECT version FROM schema_migrations ORDER BY version',
    )
    const versions = (await database.run(applied, [])).map(({ version }) => version)
    expect(versions).toEqual(migrations.map(({ version }) => version))
    await database.close()
  })
})

describe('a schema', () => {
  const first = { version: '001-things', sql: 'CREATE TABLE things (id int);\n' }
  const checksums = testStatement<{ version: string; checksum: string | null }>(
    't_checksums',
    'SELECT version, checksum FROM schema_migrations ORDER BY version',
  )
  const things = testStatement<{ id: number }>('t_things', 'SELECT id FROM things')

  it('with a step that this version does not know is refused in one line, and nothing is changed', async () => {
    const database = await createTestDatabase()
    await migrate(database, [first, { version: '099-newer', sql: 'CREATE TABLE newer (id int)' }])
    const more = { version: '002-more', sql: 'CREATE TABLE more (id int)' }
    await expect(migrate(database, [first, more])).rejects.toThrow(/^[^\n]*newer[^\n]*099-newer[^\n]*$/)
    expect((await database.run(checksums, [])).map(({ version }) => version)).toEqual([
      '001-things',
      '099-newer',
    ])
    await database.close()
  })

  it('that is newer is refused to whoever only looks; an older or an empty one is not', async () => {
    const database = await createTestDatabase()
    await refuseNewerSchema(database, [first])
    await migrate(database, [first, { version: '099-newer', sql: 'CREATE TABLE newer (id int)' }])
    await expect(refuseNewerSchema(database, [first])).rejects.toThrow(/^[^\n]*newer[^\n]*099-newer[^\n]*$/)
    await refuseNewerSchema(database, [
      first,
      { version: '099-newer', sql: '' },
      { version: '100-newest', sql: '' },
    ])
    await database.close()
  })

  it('is required as it should be: an older, an empty or a newer one is refused with what to do', async () => {
    const database = await createTestDatabase()
    const all = [first, { version: '002-more', sql: 'SELECT 1' }, { version: '003-most', sql: 'SELECT 1' }]
    await expect(requireSchema(database, all)).rejects.toThrow(
      /lacks 001-things and 2 more\): run svc migrate/,
    )
    expect(await schemaSteps(database, [first])).toEqual([
      { version: '001-things', state: 'pending', appliedAt: null },
    ])
    await migrate(database, all.slice(0, 2))
    await expect(requireSchema(database, all)).rejects.toThrow(
      /^[^\n]*lacks 003-most\): run svc migrate[^\n]*$/,
    )
    await requireSchema(database, all.slice(0, 2))
    await expect(requireSchema(database, [first])).rejects.toThrow(/newer[^\n]*002-more/)
    const changed = { ...first, sql: 'CREATE TABLE things (id bigint);' }
    await expect(requireSchema(database, [changed, ...all.slice(1, 2)])).rejects.toThrow('001-things')
    await database.close()
  })

  it('whose step had other statements is refused in one line that names it; white space is no statement', async () => {
    const database = await createTestDatabase()
    await migrate(database, [first])
    await migrate(database, [{ ...first, sql: '\nCREATE TABLE   things\n  (id int);' }])
    const changed = { ...first, sql: 'CREATE TABLE things (id bigint);' }
    await expect(migrate(database, [changed])).rejects.toThrow(/^[^\n]*001-things[^\n]*$/)
    await database.close()
  })

  it('of a version that kept no checksums is given them once', async () => {
    const database = await createTestDatabase()
    await database.script(
      `CREATE TABLE schema_migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
       INSERT INTO schema_migrations (version) VALUES ('001-things'); ${first.sql}`,
    )
    await Promise.all(Array.from({ length: 4 }, () => migrate(database, [first])))
    expect((await database.run(checksums, []))[0]?.checksum).toMatch(/^[0-9a-f]{64}$/)
    await expect(migrate(database, [{ ...first, sql: 'other' }])).rejects.toThrow('001-things')
    await database.close()
  })

  it('may hold a function whose body has statements of its own, each on a line', async () => {
    const database = await createTestDatabase()
    const body = `CREATE TABLE things (id int);
CREATE FUNCTION add_two() RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO things VALUES (1);
  INSERT INTO things VALUES (2);
END;
$body$;
SELECT add_two();
`
    await migrate(database, [{ version: '001-function', sql: body }])
    expect(await database.run(things, [])).toEqual([{ id: 1 }, { id: 2 }])
    await database.close()
  })

  it('step that fails halfway leaves nothing', async () => {
    const database = await createTestDatabase()
    const halfway = { version: '001-things', sql: 'CREATE TABLE things (id int);\nSELECT 1 / 0;' }
    await expect(migrate(database, [halfway])).rejects.toThrow('division by zero')
    expect(await database.run(checksums, [])).toEqual([])
    await expect(database.run(things, [])).rejects.toThrow('does not exist')
    await database.close()
  })
})
