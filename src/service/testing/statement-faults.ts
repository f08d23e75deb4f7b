import type pg from 'pg'
import type { SqlTypes } from '../platform/database/sql-types.ts'
import { describeStatement } from './described-statement.ts'

/** A statement as the service declares it; `names` are its values in the order of `$1`, `$2`, … */
export interface DeclaredStatement {
  name: string
  text: string
  names: readonly string[]
  values: SqlTypes
  columns: SqlTypes
}

type Faults = (declared: DeclaredStatement) => Promise<string[]>

interface TypeRow {
  id: number
  name: string
}

interface ColumnRow {
  place: string
  name: string
  is_nullable: boolean
}

/**
 * Where the declaration of a statement is wrong, compared with the database: types and names of values and columns, and whether a
 * column may be null, as far as it comes directly from a table.
 */
export async function statementFaults(client: pg.Client): Promise<Faults> {
  const types = await client.query<TypeRow>(
    'SELECT oid::int8::int AS id, format_type(oid, NULL) AS name FROM pg_type',
  )
  const typeNames = new Map(types.rows.map(({ id, name }) => [id, name]))
  const columns = await client.query<ColumnRow>(
    "SELECT attrelid || '.' || attnum AS place, attname AS name, NOT attnotnull AS is_nullable FROM pg_attribute",
  )
  const tableColumns = new Map(columns.rows.map((column) => [column.place, column]))
  return async ({ name: statement, text, names, values, columns: declared }) => {
    const described = await describeStatement(client, text)
    const faults: string[] = []
    const expectSame = (what: string, said: unknown, found: unknown) => {
      if (said !== found) faults.push(`${statement}: ${what} is ${String(found)}, not ${String(said)}`)
    }
    for (const [at, name] of names.entries())
      expectSame(`:${name}`, values[name]?.sql, typeNames.get(described.parameters[at] ?? 0))
    expectSame(
      'the list of columns',
      Object.keys(declared).sort().join(', '),
      described.columns
        .map(({ name }) => name)
        .sort()
        .join(', '),
    )
    for (const { name, dataTypeID, tableID, columnID } of described.columns) {
      const type = declared[name]
      expectSame(name, type?.sql, typeNames.get(dataTypeID))
      const source = tableColumns.get(`${String(tableID)}.${String(columnID)}`)
      if (source === undefined || type === undefined) continue
      // In an outer join any column may be null, even if its table declares it as not null.
      if (type.isNullable && /\b(?:LEFT|FULL) JOIN\b/.test(text)) continue
      const isNarrowed = type.isNarrowed === true && text.includes(`${source.name} IS NOT NULL`)
      expectSame(`whether ${name} may be null`, type.isNullable, source.is_nullable && !isNarrowed)
    }
    return faults
  }
}
