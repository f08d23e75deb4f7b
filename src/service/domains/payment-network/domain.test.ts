import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { startDatabaseClock } from '../../platform/database/database-clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { startMaintenance } from '../../platform/maintenance.ts'
import { createPlatform } from '../../platform/platform.ts'
import { openServiceSecrets } from '../../platform/vault/service-secrets.ts'
import { capturedLog } from '../../testing/captured-log.ts'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { networkDomain } from './domain.ts'
import { noNetwork } from './payment-network.ts'
import type { PaymentNetwork } from './payment-network.ts'
import { creationFor, nextId, orderFor, patient } from './testing/network-bed.ts'

const keys = `k1:${randomBytes(32).toString('base64')}`
const debtor = {
  name: 'Grace',
  type: 'person',
  pay_id: { type: 'EMAIL', value: 'grace@example.com' },
} as const

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

async function networkIn(environment: string, adapter?: PaymentNetwork) {
  const masterKeys = localMasterKeys(keys)
  const { log, logged } = capturedLog()
  const platform = createPlatform({
    version: '1.0.0',
    config: readConfig({
      SVC_ENVIRONMENT: environment,
      SVC_VAULT_KEYS: keys,
      SVC_DATABASE_URL: 'postgres://db.example/svc',
      SVC_BASE_URL: 'https://pay.example.com',
    }),
    database,
    masterKeys,
    secretsFor: await openServiceSecrets(database, masterKeys),
    log,
    droppedLines: () => 0,
    clock: monotonicClock,
    timeOfDay: await startDatabaseClock(database, monotonicClock),
    maintenance: await startMaintenance(database),
    tracer: null,
  })
  return { network: networkDomain(platform, { adapter }).api, metrics: platform.metrics, logged }
}

describe('the payment network of an installation', () => {
  it.each(['sandbox', 'staging_svc', 'preproduction_svc'])('is the sandbox in %s', async (environment) => {
    const { network } = await networkIn(environment)
    expect(await network.instruct(creationFor(debtor), patient())).toEqual({ kind: 'done' })
    await expect(network.check()).resolves.toBeUndefined()
  })

  it('is none in production: nothing is done', async () => {
    const { network } = await networkIn('production_svc')
    const unreachable = { kind: 'unreachable' }
    expect(await network.resolve({ payId: debtor.pay_id }, patient())).toEqual(unreachable)
    expect(await network.instruct(creationFor(debtor), patient())).toEqual(unreachable)
    expect(await network.pay(orderFor('agreement'), patient())).toEqual(unreachable)
    expect(await network.outcomeOf(nextId('payment'), patient())).toEqual(unreachable)
    expect(await network.notices(10, patient())).toEqual([])
    await expect(network.check()).rejects.toThrow('this installation has no payment network')
  })

  it('is the adapter if there is one', async () => {
    const adapter: PaymentNetwork = {
      ...noNetwork,
      resolve: () => Promise.resolve({ kind: 'found', name: 'Grace' }),
      pay: () => Promise.reject(new Error('broken adapter')),
    }
    const { network, metrics, logged } = await networkIn('production_svc', adapter)
    expect(await network.resolve({ payId: debtor.pay_id }, patient())).toEqual({
      kind: 'found',
      name: 'Grace',
    })
    expect(await network.pay(orderFor('agreement'), patient())).toEqual({ kind: 'unknown' })
    expect(logged()).toContain('broken adapter')
    const text = await metrics.text()
    expect(text).toContain('svc_network_call_duration_seconds_count{call="resolve",outcome="found"} 1')
    expect(text).toContain('svc_network_call_duration_seconds_count{call="pay",outcome="fault"} 1')
  })
})
