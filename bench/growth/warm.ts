import type pg from 'pg'

/** Reads the charges with their indexes once, so that they are in memory as far as they fit: in a service that runs they are. */
export async function warm(client: pg.Client): Promise<void> {
  await client.query('SELECT count(*) FROM charges WHERE description IS NOT NULL')
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT pg_relation_filepath(indexrelid) AS name, pg_relation_size(indexrelid) AS bytes FROM pg_index
     WHERE indrelid = 'charges'::regclass`,
  )
  const SEGMENT = 2 ** 30
  for (const { name, bytes } of rows)
    for (let segment = 0; segment * SEGMENT < Number(bytes); segment += 1)
      await client.query('SELECT length(pg_read_binary_file($1)) AS bytes', [
        segment === 0 ? name : `${name}.${String(segment)}`,
      ])
}
