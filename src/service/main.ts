import { resolve } from 'node:path'
import { refuseOldNode } from './processes/refuse-old-node.ts'

// Before the rest is loaded, which an old Node may not even be able to read.
refuseOldNode(process.versions.node)
const { runService } = await import('./run-service.ts')
runService({ rootDir: resolve(import.meta.dirname, '../..'), ownDatabase: null, migrates: true })
