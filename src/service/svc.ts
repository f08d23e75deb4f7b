#!/usr/bin/env node
import { runSvc } from './operator/run-svc.ts'
import { keepPrivate } from './processes/keep-private.ts'

keepPrivate()
await runSvc(process.argv.slice(2), import.meta.url)
