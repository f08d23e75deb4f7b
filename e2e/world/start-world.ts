import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { holderOfPort } from '../../src/service/processes/port-holder.ts'
import { refuseTraces } from '../../src/service/testing/traces.ts'
import { ALIAS_URL, BANK_PORT, DASHBOARD_PORT, PAGE_PORT, SERVICE_PORT, SHOP_PORT } from './addresses.ts'
import { DATA_DIR, LOG_FILE } from './paths.ts'
import { startProgram } from './running.ts'

/** Starts what all tests need: the built service on an empty database, and the built demo shop. Returns the stop function. */
export default async function startWorld(): Promise<() => Promise<void>> {
  for (const port of [SERVICE_PORT, DASHBOARD_PORT, BANK_PORT, SHOP_PORT, PAGE_PORT]) await refuseTaken(port)
  rmSync(DATA_DIR, { recursive: true, force: true })
  mkdirSync(DATA_DIR, { recursive: true })
  const environment = {
    SVC_PORT: String(SERVICE_PORT),
    SVC_DASHBOARD_PORT: String(DASHBOARD_PORT),
    SVC_SANDBOX_BANK_PORT: String(BANK_PORT),
    SVC_DEMO_PORT: String(SHOP_PORT),
    SVC_DATA_DIR: DATA_DIR,
    SVC_LOG_LEVEL: 'trace',
    SVC_WIDGET_ALIASES: ALIAS_URL,
    // So that each person in the dashboard's tests has a separate IP address, as behind a proxy.
    SVC_TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const logFile = LOG_FILE
  const service = await startProgram({
    file: 'dist/service/sandbox.js',
    environment,
    logFile,
  })
  const shop = await startProgram({
    file: 'dist/demo/shop.js',
    environment,
    logFile,
  }).catch(async (error: unknown) => {
    await service.stop('SIGTERM')
    throw error
  })
  return async () => {
    await shop.stop('SIGTERM')
    await service.stop('SIGTERM')
    refuseTraces(DATA_DIR)
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

/** Throws, in one line, where a port of the tests is taken: they would talk to another service, or wait for theirs. */
async function refuseTaken(port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
  } catch {
    const by = holderOfPort(port) ?? 'another program'
    throw new Error(`port ${port} of the tests is taken by ${by}: stop it, or set SVC_TEST_FIRST_PORT`)
  }
  await new Promise((resolve) => server.close(resolve))
}
