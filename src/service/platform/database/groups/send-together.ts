import type pg from 'pg'
import type { WireValue } from './wire-value.ts'

/** A statement with its values. */
export interface Call {
  name: string
  text: string
  values: WireValue[]
}

/** The rows of one statement, as they came. */
export interface Answer {
  columns: readonly Column[]
  rows: Fields[]
}
type Fields = readonly (string | null)[]
interface Column {
  name: string
  parse: (text: string) => unknown
}
interface TypeParsers {
  getTypeParser: (type: number, format: 'text') => Column['parse']
}

/** `failedAt`: which statement the server refused, counted from 0; their number where that was the commit, or the server was lost. */
export type Outcome =
  | { kind: 'committed'; answers: Answer[] }
  | { kind: 'failed'; failedAt: number; error: unknown }

/** What a connection has prepared: the columns of each statement, by its name. */
export type PreparedStatements = Map<string, readonly Column[]>

/**
 * Sends statements in one write, with one Sync at their end: they are one transaction, of which the server answers everything at once
 * when it has committed. Each is prepared, and its columns described, once for a connection. Never rejects.
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING)
 */
export function sendTogether(
  client: pg.Client,
  prepared: PreparedStatements,
  calls: readonly Call[],
): Promise<Outcome> {
  return new Promise((resolve) => {
    client.query(createGroup(client, prepared, calls, resolve))
  })
}

/** What `pg` calls for each message of the server. */
interface Group extends pg.Submittable {
  /** `pg` puts itself before it, to stop the clock that it runs for an answer. */
  callback: (error: unknown) => void
  handleRowDescription: (message: { fields: pg.FieldDef[] }) => void
  handleDataRow: (message: { fields: Fields }) => void
  handleCommandComplete: () => void
  handleReadyForQuery: () => void
  handleError: (error: unknown) => void
}

function createGroup(
  parsers: TypeParsers,
  prepared: PreparedStatements,
  calls: readonly Call[],
  resolve: (outcome: Outcome) => void,
): Group {
  const answers: Answer[] = []
  let current: Answer = { columns: [], rows: [] }
  const begin = () => {
    current = { columns: prepared.get(calls[answers.length]?.name ?? '') ?? [], rows: [] }
  }
  begin()
  return {
    submit: (connection) => write(connection, prepared, calls),
    handleRowDescription({ fields }) {
      current.columns = fields.map(({ name, dataTypeID }) => ({
        name,
        parse: parsers.getTypeParser(dataTypeID, 'text'),
      }))
    },
    handleDataRow({ fields }) {
      current.rows.push(fields)
    },
    handleCommandComplete() {
      prepared.set(calls[answers.length]?.name ?? '', current.columns)
      answers.push(current)
      begin()
    },
    handleReadyForQuery() {
      this.callback(null)
    },
    handleError(error) {
      // Its rows may be others than it was prepared for.
      prepared.delete(calls[answers.length]?.name ?? '')
      this.callback(error)
    },
    callback(error) {
      if (error === null) resolve({ kind: 'committed', answers })
      else resolve({ kind: 'failed', failedAt: answers.length, error })
    },
  }
}

/** What kept it from writing everything, for `pg` to hand to `handleError`; the server then waits for the rest. */
function write(connection: pg.Connection, prepared: PreparedStatements, calls: readonly Call[]): unknown {
  connection.stream.cork()
  try {
    writeCalls(connection, prepared, calls)
    return null
  } catch (error) {
    return error
  } finally {
    connection.stream.uncork()
  }
}

function writeCalls(connection: pg.Connection, prepared: PreparedStatements, calls: readonly Call[]): void {
  const isMore = true
  const sent = new Set(prepared.keys())
  for (const { name, text, values } of calls) {
    if (!sent.has(name)) {
      // After a group that failed nobody knows which statements of it the server has prepared.
      connection.close({ type: 'S', name }, isMore)
      connection.parse({ name, text, types: [] }, isMore)
      connection.describe({ type: 'S', name }, isMore)
      sent.add(name)
    }
    connection.bind({ statement: name, values }, isMore)
    connection.execute(null, isMore)
  }
  connection.sync()
}

/** Rows have the types that their statement declares; a test compares those with the database's. */
export function rowsOf<Row extends object>(answer: Answer): Row[]
export function rowsOf({ columns, rows }: Answer): object[] {
  return rows.map((fields) => {
    const row: Record<string, unknown> = {}
    let at = 0
    for (const { name, parse } of columns) {
      const field = fields[at++] ?? null
      row[name] = field === null ? null : parse(field)
    }
    return row
  })
}
