import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_PORT } from './addresses.ts'

/** The data folder of the tests' service. Outside the repository, so that the database's account can access it. */
export const DATA_DIR = join(tmpdir(), `svc-e2e-${SERVICE_PORT}`)

/** The output of the service and the shop during the tests. */
export const LOG_FILE = join(DATA_DIR, 'output.log')
