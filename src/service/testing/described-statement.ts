import type pg from 'pg'
import type { Connection } from 'pg'
import * as v from 'valibot'

/** How the server understands a statement: ids of types, tables and columns. */
export interface DescribedStatement {
  /** The type of `$1`, of `$2`, … */
  parameters: number[]
  /** `tableID`: of the table whose column it is; 0 for an expression. */
  columns: { name: string; dataTypeID: number; tableID: number; columnID: number }[]
}

const Parameters = v.object({ dataTypeIDs: v.array(v.number()) })

/** Has the server parse a statement without running it; rejects where it is not valid. */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedStatement> {
  return new Promise((resolve, reject) => {
    const described: DescribedStatement = { parameters: [], columns: [] }
    client.query({
      submit(connection: Connection) {
        connection.once('parameterDescription', (message: unknown) => {
          described.parameters = v.parse(Parameters, message).dataTypeIDs
        })
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: DescribedStatement['columns'] }) {
        described.columns = fields
      },
      handleReadyForQuery: () => resolve(described),
      handleError: reject,
    })
  })
}
