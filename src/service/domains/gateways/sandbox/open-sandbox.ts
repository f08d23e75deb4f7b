import { randomInt } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import type { Gateway } from '../gateway.ts'
import { createLedger } from './ledger.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'

/** The sandbox with its books in the service's database; holds last `holdSeconds`. */
export function openSandbox(database: Database, holdSeconds: number): Gateway {
  return createSandboxGateway({
    ledger: createLedger(database),
    holdSeconds,
    createReference: () => String(randomInt(1e12)).padStart(12, '0'),
  })
}
