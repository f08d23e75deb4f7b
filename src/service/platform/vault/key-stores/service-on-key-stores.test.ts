import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../database/database.ts'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import { checkoutCalls } from '../../../testing/checkout-calls.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../../testing/webhook-receiver.ts'
import { allWrappedKeys } from '../../../key-tables.ts'
import { checkMasterKeys } from '../check-master-keys.ts'
import { KeyStoreDown, joinKeyStores } from './master-keys.ts'
import type { KeyStore, MasterKeys } from './master-keys.ts'
import { rotateVault } from '../rotate.ts'
import { keyStoreBeds } from '../testing/key-store-beds.ts'
import type { KeyStoreBed } from '../testing/key-store-beds.ts'
import { createVault } from '../vault.ts'

const credentials = {
  api_key: 'a key of the merchant',
  merchant_account: 'Acme',
  base_url: 'https://x.example',
}

describe.each(keyStoreBeds)('a service whose master keys are in $name', ({ isMissing, make }) => {
  const test = isMissing === null ? it : it.skip
  let bed: KeyStoreBed
  let database: Database
  const open = async (...ids: ('old' | 'new')[]) => joinKeyStores([await bed.open(...ids)])
  const start = (keys: MasterKeys) => createTestService({ database, masterKeys: keys })
  const sellAt = (service: TestService, token: string) =>
    chargeCalls(service).sell({ amount: '10.00', currency: 'AUD', token })

  beforeAll(async () => {
    if (isMissing !== null) return
    bed = await make()
    database = await createTestDatabase()
  })
  afterAll(async () => {
    if (isMissing !== null) return
    await database.close()
    await bed.close()
  })

  test('keeps cards, credentials, webhooks and checkouts over a restart and a rotation', async () => {
    const first = await start(await open('old'))
    const { merchant } = first.merchant
    const calls = checkoutCalls(first)
    const receiver = await createWebhookReceiver()
    const webhook = await makeWebhook(first, { url: receiver.url })
    const [spent, kept, checkout] = [await first.tokenise(), await first.tokenise(), await calls.make()]
    expect((await sellAt(first, spent)).status).toBe(201)
    const gateway = { name: 'Adyen', type: 'adyen', isDefault: false, credentials }
    const gatewayId = (await first.merchants.addGateway(merchant.id, gateway)) ?? ''

    const both = await open('new', 'old')
    const places = allWrappedKeys(database)
    const parts = { database, places, isSandbox: false, warn: () => undefined }
    await checkMasterKeys({ ...parts, keys: both })
    expect((await calls.session(checkout.token)).status).toBe(200)
    const rotation = { vault: createVault(both), keys: both, places, say: () => undefined }
    expect(await rotateVault(rotation)).toBe(true)

    const keys = await open('new')
    await checkMasterKeys({ ...parts, keys })
    const second = await start(keys)
    const secret = { 'x-user-secret-key': first.merchant.secretKey }
    const sale = { amount: '10.00', currency: 'AUD', token: kept }
    const sold = await second.call({ method: 'POST', url: '/v1/charges', headers: secret, payload: sale })
    expect(sold.status).toBe(201)
    expect(await second.merchants.credentialsOf(merchant.id, gatewayId)).toEqual(credentials)
    await sendWebhooks(second)
    expect(receiver.received.length).toBeGreaterThan(0)
    const verifier = new Webhook(webhook.secret)
    for (const { body, headers } of receiver.received) verifier.verify(body, headers)
    await receiver.close()
    await Promise.all([first.close(), second.close()])
  })

  test('answers 503 while they are out of reach, and loses no card by it', async () => {
    let isDown = false
    const store = await bed.open('old', 'new')
    const service = await start(joinKeyStores([interrupted(store, () => isDown)]))
    const token = await service.tokenise()
    isDown = true
    expect(await sellAt(service, token)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { error: { code: 'service_unavailable' } },
    })
    isDown = false
    expect((await sellAt(service, token)).status).toBe(201)
    await service.close()
  })
})

/** A key store that can be out of reach. */
function interrupted(store: KeyStore, isDown: () => boolean): KeyStore {
  const unlessDown = (work: () => Promise<Buffer>) =>
    isDown() ? Promise.reject(new KeyStoreDown('away')) : work()
  return {
    ids: store.ids,
    wrap: (...call) => unlessDown(() => store.wrap(...call)),
    unwrap: (...call) => unlessDown(() => store.unwrap(...call)),
  }
}
