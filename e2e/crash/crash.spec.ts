import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import * as v from 'valibot'
import { runningPostgres } from '../../src/service/database/embedded-postgres.ts'
import { CRASH_PORT } from '../world/addresses.ts'
import { startProgram } from '../world/running.ts'
import type { Running } from '../world/running.ts'
import { differencesOf, openAttempts, statusesOf } from './books.ts'
import { merchantServer } from './merchant-server.ts'
import type { MerchantServer } from './merchant-server.ts'

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? '2')
const CLIENTS = 16
const URL = `http://localhost:${CRASH_PORT}`
const Demo = v.object({ public_key: v.string(), secret_key: v.string() })

test('killed under load, again and again, it loses and doubles nothing', async () => {
  test.setTimeout(60_000 + ROUNDS * 30_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-crash-'))
  chmodSync(dataDir, 0o711)
  const acknowledged = new Map<string, string>()
  let running = await startService(dataDir)
  for (let round = 0; round < ROUNDS; round += 1) {
    const load = clientsAtWork(server(dataDir), acknowledged)
    await sleep(500 + Math.random() * 1000)
    if (round % 2 === 0) await running.stop('SIGKILL')
    else killPostgres(dataDir)
    await load
    if (round % 2 === 0) running = await startService(dataDir)
    else await untilWell()
  }
  const books = runningPostgres(dataDir) ?? ''
  await expect.poll(() => openAttempts(books), { timeout: 30_000 }).toBe(0)
  expect(await differencesOf(books)).toEqual([])
  const statuses = await statusesOf(books)
  const lost = [...acknowledged].filter(([id, status]) => !isKept(statuses.get(id), status))
  expect(lost).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * CLIENTS)
  console.log(
    `${ROUNDS} kills: ${acknowledged.size} acknowledged charges, ${statuses.size} in the books, 0 lost, 0 doubled`,
  )
  expect(await running.stop('SIGTERM')).toBe(0)
  rmSync(dataDir, { recursive: true })
})

/** What was acknowledged as pending may have been captured by a request whose answer was lost. */
function isKept(now: string | undefined, acknowledged: string): boolean {
  return now === acknowledged || (acknowledged === 'pending' && now === 'complete')
}

function startService(dataDir: string): Promise<Running> {
  return startProgram({
    file: 'dist/service/main.js',
    environment: { SVC_PORT: String(CRASH_PORT), SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'warn' },
    logFile: `${dataDir}.log`,
    readyUrl: `${URL}/health`,
  })
}

function server(dataDir: string): MerchantServer {
  const { public_key, secret_key } = v.parse(
    Demo,
    JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')),
  )
  return merchantServer({ url: URL, publicKey: public_key, secretKey: secret_key })
}

/** The database's server alone; the service is to survive that by itself. */
function killPostgres(dataDir: string): void {
  const cluster = resolve(dataDir, readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim())
  process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
}

async function untilWell(): Promise<void> {
  await expect.poll(async () => (await fetch(`${URL}/health`)).status, { timeout: 30_000 }).toBe(200)
}

/** Clients that authorise and capture parts until something of the service is gone. */
async function clientsAtWork(merchant: MerchantServer, acknowledged: Map<string, string>): Promise<void> {
  const client = async () => {
    for (;;) {
      const charge = await merchant.authorise('10.00')
      if (charge === null) return
      acknowledged.set(charge._id, charge.status)
      const captured = await merchant.capture(charge._id, (1 + Math.random() * 9).toFixed(2))
      if (captured !== null) acknowledged.set(captured._id, captured.status)
    }
  }
  const ends = Array.from({ length: CLIENTS }, () => client().catch(() => undefined))
  await Promise.all(ends)
}
