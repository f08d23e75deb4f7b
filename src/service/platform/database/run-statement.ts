import type pg from 'pg'
import type { Statement } from './statement.ts'

/** Runs a statement on a connection, or on any one of a pool. */
export async function runStatement<Values, Row extends object>(
  connection: Pick<pg.ClientBase, 'query'> | pg.Pool,
  { name, text, toParameters }: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({ name, text, values: toParameters(values) })
  return rows
}
