import type pg from 'pg'

interface Definition {
  table: string
  name: string
  definition: string
}

/**
 * Does `work` while these tables have no indexes, keys and references, and then makes them again exactly as they were: many rows are
 * added several times as fast this way. If it is interrupted, the database is left without them.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const constraints = await client.query<Definition>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype IN ('p', 'u', 'f')
     ORDER BY contype = 'f', 1, 2`,
    [tables],
  )
  const indexes = await client.query<Definition>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index i WHERE indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = i.indrelid)
     ORDER BY 1, 2`,
    [tables],
  )
  // References are dropped first, and made again last, as they need the keys that they refer to.
  for (const { table, name } of constraints.rows.toReversed())
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await work()
  await client.query("SET maintenance_work_mem = '1GB'")
  for (const { definition } of indexes.rows) await client.query(definition)
  for (const { table, name, definition } of constraints.rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  await client.query('RESET maintenance_work_mem')
}
