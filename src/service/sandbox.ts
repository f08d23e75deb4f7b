import { resolve } from 'node:path'
import { refuseOldNode } from './processes/refuse-old-node.ts'

/** The service as `main.ts`, for development: without `SVC_DATABASE_URL` it brings a PostgreSQL of its own. */
refuseOldNode(process.versions.node)
const { runService } = await import('./run-service.ts')
const { ownDatabase } = await import('./own-database.ts')
runService({ rootDir: resolve(import.meta.dirname, '../..'), ownDatabase, migrates: true })
