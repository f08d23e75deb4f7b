import type pg from 'pg'
import type { SqlTypes, ValuesOf } from './sql-types.ts'

/** One SQL statement, prepared under its name on each connection that runs it. */
export interface Statement<Values, Row extends object> {
  name: string
  /** With `$1`, `$2`, … where the values stand. */
  text: string
  /** The names of the values, that of `$1` first. */
  names: readonly (keyof Values)[]
  /** The values in the order of `names`, as the driver takes them. */
  toParameters: (values: Values) => unknown[]
  /** Only carries the type. */
  row?: Row
}

interface Declaration<Values extends SqlTypes, Columns extends SqlTypes> {
  /** Unique in the service. */
  name: string
  /** What it is given, by the names that stand in the SQL as `:name`. */
  values: Values
  /** What it returns. */
  columns: Columns
  sql: string
}

/** `:name`, and not the type of a cast such as `::text`. */
const PLACEHOLDER = /(?<!:):([a-z]\w*)/g

/**
 * Declares a statement whose values are given by name. A test compares the declared types with the database's. Throws when
 * the SQL uses a name that is not declared, or does not use one that is.
 */
export function statement<Values extends SqlTypes, Columns extends SqlTypes>({
  name,
  values,
  sql,
}: Declaration<Values, Columns>): Statement<ValuesOf<Values>, ValuesOf<Columns>> {
  const names: (keyof Values)[] = []
  const text = sql.replace(PLACEHOLDER, (_, placeholder: string) => {
    if (!isNameIn(values, placeholder)) throw undeclared(name, placeholder)
    if (!names.includes(placeholder)) names.push(placeholder)
    return `$${String(names.indexOf(placeholder) + 1)}`
  })
  const unused = Object.keys(values).filter((one) => !names.includes(one))
  if (unused.length > 0) throw new Error(`statement ${name} does not use ${unused.join(', ')}`)
  const parameters = names.map((one) => ({ name: one, isJson: isJson(values[one]) }))
  return {
    name,
    text,
    names,
    toParameters: (given) =>
      parameters.map((one) => (one.isJson ? toJson(given[one.name]) : given[one.name])),
  }
}

function undeclared(statement: string, name: string): Error {
  return new Error(`statement ${statement}: :${name} is not declared`)
}

function isNameIn<Values extends SqlTypes>(values: Values, name: PropertyKey): name is keyof Values {
  return Object.hasOwn(values, name)
}

function isJson(type: SqlTypes[string] | undefined): boolean {
  return type?.sql === 'json' || type?.sql === 'jsonb'
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Runs a statement on a connection. */
export async function runStatement<Values, Row extends object>(
  connection: Pick<pg.ClientBase, 'query'>,
  { name, text, toParameters }: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({ name, text, values: toParameters(values) })
  return rows
}
