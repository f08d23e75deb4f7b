import { keepPrivate } from './processes/keep-private.ts'
import { runService } from './run-service.ts'

keepPrivate()
runService({ program: import.meta.url, migrates: true })
