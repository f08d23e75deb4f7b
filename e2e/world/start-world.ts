import { mkdirSync, rmSync } from 'node:fs'
import { refuseTraces } from '../../src/service/testing/traces.ts'
import { DASHBOARD_PORT, SERVICE_PORT, SERVICE_URL, SHOP_PORT, SHOP_URL } from './addresses.ts'
import { DATA_DIR, LOG_FILE } from './paths.ts'
import { startProgram } from './running.ts'

/** Starts what all tests need: the built service on an empty database, and the built demo shop. Returns the stop function. */
export default async function startWorld(): Promise<() => Promise<void>> {
  rmSync(DATA_DIR, { recursive: true, force: true })
  mkdirSync(DATA_DIR, { recursive: true })
  const environment = {
    SVC_PORT: String(SERVICE_PORT),
    SVC_DASHBOARD_PORT: String(DASHBOARD_PORT),
    SVC_DEMO_PORT: String(SHOP_PORT),
    SVC_DATA_DIR: DATA_DIR,
    SVC_LOG_LEVEL: 'trace',
    // So that each person in the dashboard's tests has a separate IP address, as behind a proxy.
    SVC_TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const logFile = LOG_FILE
  const service = await startProgram({
    file: 'dist/service/main.js',
    environment,
    logFile,
    readyUrl: `${SERVICE_URL}/health`,
  })
  const shop = await startProgram({
    file: 'dist/demo/shop.js',
    environment,
    logFile,
    readyUrl: SHOP_URL,
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
