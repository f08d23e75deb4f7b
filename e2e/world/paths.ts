import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_PORT } from './addresses.ts'

/** The data folder of the tests' service; not in the repo, so that the database's own account can reach it. */
export const DATA_DIR = join(tmpdir(), `svc-e2e-${SERVICE_PORT}`)

/** Everything that the service and the shop print while the tests run. */
export const LOG_FILE = join(DATA_DIR, 'output.log')
