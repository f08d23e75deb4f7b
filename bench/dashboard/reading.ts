import { join } from 'node:path'
import pg from 'pg'
import type { Service } from '../../src/service/compose.ts'
import { readConfig } from '../../src/service/config.ts'
import { createDatabase } from '../../src/service/platform/database/database.ts'
import { migrate } from '../../src/service/platform/database/migrate.ts'
import { migrations } from '../../src/service/platform/database/migrations.ts'
import { composeService } from '../compose-service.ts'

/** The pool is as large as the service's. */
const CONNECTIONS = 20

/** The service in this process, for whoever is signed in at `session.merchantId`, and a connection beside it. */
export interface Reading {
  client: pg.Client
  service: Service
  session: { merchantId: string }
  close: () => Promise<void>
}

export async function openReading(connectionString: string): Promise<Reading> {
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: () => undefined,
  })
  const client = new pg.Client({ connectionString })
  await client.connect()
  await migrate(database, migrations)
  const session = { merchantId: '' }
  const user = { id: 'u', email: 'ada@shop.example', name: 'Ada' }
  const service = await composeService({
    config: readConfig({}),
    database,
    releaseFolders: [join(process.cwd(), 'dist', 'releases')],
    findSession: () => Promise.resolve({ sessionId: 's', user, ...session, role: 'owner', freshUntil: null }),
  })
  return {
    client,
    service,
    session,
    async close() {
      await service.app.close()
      await service.dashboard.app.close()
      await client.end()
      await database.close()
    },
  }
}
