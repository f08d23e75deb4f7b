import type { SqlTypes } from '../platform/database/sql-types.ts'
import type * as Statements from '../platform/database/statement.ts'
import type { DeclaredStatement } from './statement-faults.ts'

interface Declaration {
  name: string
  values: SqlTypes
  columns: SqlTypes
  sql: string
}

/** Every statement that was declared since the module of `recordStatements` has replaced the real one, by name. */
export const declared = new Map<string, DeclaredStatement>()
/** Names that two texts have: the driver would refuse the second on a connection that knows the first. */
export const clashes = new Set<string>()

/** The module of statements, which also remembers each that is declared. */
export function recordStatements(real: typeof Statements) {
  return {
    ...real,
    statement: (declaration: Declaration) => {
      const made = real.statement(declaration)
      const other = declared.get(made.name)
      if (other !== undefined && other.text !== made.text) clashes.add(made.name)
      declared.set(made.name, { ...declaration, ...made })
      return made
    },
  }
}
