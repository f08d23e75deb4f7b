import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Service } from './compose.ts'
import type { Config } from './config.ts'
import { makeDemoMerchant } from './domains/merchants/demo-merchant.ts'
import { CannotLock, takeKernelLock } from './platform/database/embedded/folder-lock.ts'
import { makeFolder } from './platform/make-folder.ts'

const TURN_TIMEOUT_MS = 30_000

/**
 * Makes a sandbox's demo merchant, or brings what the data folder says of it up to date. Processes that share a folder do so one
 * after the other. If the folder can't be written, nobody could learn the keys: then nothing is made, and the log says so.
 */
export async function makeDemo(
  service: DemoService,
  config: DemoConfig,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    const endTurn = await takeTurn(config.dataDir)
    await makeDemoMerchant(demoOf(service, config)).finally(endTurn)
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    log.warn(
      { err: error },
      'SVC_DATA_DIR cannot be written: the demo merchant is not made or brought up to date',
    )
  }
}

type DemoService = Pick<Service, 'merchants' | 'oauth' | 'users'>
type DemoConfig = Pick<Config, 'dataDir' | 'baseUrl' | 'demoPort' | 'dashboardUrl' | 'oauthIssuer'>

function demoOf({ merchants, oauth, users }: DemoService, config: DemoConfig) {
  const { dataDir, baseUrl, demoPort, dashboardUrl, oauthIssuer } = config
  return {
    merchants,
    clients: oauthIssuer === undefined ? oauth.clients : null,
    users: users.administration,
    dataDir,
    urls: {
      service_url: baseUrl,
      shop_url: `http://localhost:${String(demoPort)}`,
      dashboard_url: dashboardUrl,
    },
  }
}

/** Waits for the turn of this process; returns what ends it. A volume without locks has none, and then nobody waits. */
async function takeTurn(dataDir: string): Promise<() => void> {
  makeFolder(dataDir)
  const file = join(dataDir, 'demo.lock')
  try {
    for (let waited = 0; waited < TURN_TIMEOUT_MS; waited += 50) {
      const lock = takeKernelLock(file, 0o600)
      if (lock !== null) return () => closeSync(lock)
      await sleep(50)
    }
  } catch (error) {
    if (!(error instanceof CannotLock)) throw error
  }
  return () => undefined
}
