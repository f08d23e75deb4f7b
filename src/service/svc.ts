#!/usr/bin/env node
import { resolve } from 'node:path'
import { refuseOldNode } from './processes/refuse-old-node.ts'

refuseOldNode(process.versions.node)
const { runSvc } = await import('./operator/run-svc.ts')
await runSvc(process.argv.slice(2), resolve(import.meta.dirname, '../..'))
