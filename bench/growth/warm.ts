import type pg from 'pg'

/** PostgreSQL keeps a table and an index in files of this size. */
const SEGMENT = 2 ** 30
const PIECE = 2 ** 25

/** Reads the charges with their indexes once, so that they are in memory as far as they fit: in a service that runs they are. */
export async function warm(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT pg_relation_filepath(oid) AS name, pg_relation_size(oid) AS bytes FROM pg_class
     WHERE oid = 'charges'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'charges'::regclass)`,
  )
  for (const { name, bytes } of rows)
    for (let segment = 0; segment * SEGMENT < Number(bytes); segment += 1)
      await client.query(
        'SELECT sum(length(pg_read_binary_file($1, place, $2))) FROM generate_series(0, $3::bigint, $2) place',
        [segment === 0 ? name : `${name}.${String(segment)}`, PIECE, SEGMENT - PIECE],
      )
}
