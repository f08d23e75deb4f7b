import type pg from 'pg'

/** Adds a row for each row of `from`: a copy of `t`, its template, except for the columns in `changed`. */
export async function copyRows(
  client: pg.Client,
  table: string,
  from: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => changed[name] ?? `t.${name}`).join(', ')} FROM ${from}`,
  )
}
