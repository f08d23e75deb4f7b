import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import type { Database } from '../../platform/database/database.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { createIds } from '../../platform/identifiers.ts'
import { operateOn } from '../../testing/operate.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { rotateVault } from '../../platform/vault/rotate.ts'
import { createTextVault, createVault } from '../../platform/vault/vault.ts'
import { allWrappedKeys } from '../../key-tables.ts'
import { createClients } from '../oauth/clients.ts'
import { openAdministration } from '../users/administration.ts'
import { createMerchants } from './merchants.ts'
import { testStatement } from '../../testing/test-statement.ts'

const SECRET = 'AQE-the-api-key-of-acme'
const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [oldKey, newKey] = [key('old'), key('new')]
const everyRow = testStatement<{ kept: string }>('t_gateways', 'SELECT gateways::text AS kept FROM gateways')

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const acts = { createId: createIds({ epochMs: Date.now }), actor: 'service' as const }
const merchantsUnder = (keys: string, environment = 'sandbox') =>
  createMerchants({
    database,
    textVault: createTextVault(() => localMasterKeys(keys)),
    clock: monotonicClock,
    environment,
    ...acts,
  })
const make = async (environment?: string) => {
  const merchant = { name: 'Acme', preAuth: true, allowedOrigins: [] }
  return (await merchantsUnder(oldKey, environment).make(merchant, () => undefined)).merchant.id
}
/** The output and exit code of the operator's command. */
function add(parameters: string[], secret = SECRET) {
  const parts = {
    database,
    merchants: merchantsUnder(oldKey),
    textVault: createTextVault(() => localMasterKeys(oldKey)),
    clients: createClients({ database, environment: 'sandbox', ...acts }),
    users: openAdministration({
      database,
      dashboardUrl: 'http://localhost:8070',
      ...acts,
    }),
  }
  return operateOn(parts, 'gateways add', parameters, { environment: { SVC_VAULT_KEYS: oldKey }, secret })
}
const addTo = async (merchantId: string, ...more: string[]) => {
  const { said } = await add([merchantId, 'adyen', '--merchant-account', 'AcmeECOM', ...more])
  return /[0-9a-f]{24}/.exec(said)?.[0] ?? said
}

describe('a gateway that the operator adds', () => {
  it('is encrypted, and becomes the default only on request', async () => {
    const merchantId = await make()
    const id = await addTo(merchantId)
    expect(await merchantsUnder(oldKey).credentialsOf(merchantId, id)).toEqual({
      api_key: SECRET,
      merchant_account: 'AcmeECOM',
      base_url: 'https://checkout-test.adyen.com/v72',
    })
    expect(await merchantsUnder(oldKey).gatewayOf(merchantId, id)).toMatchObject({
      name: 'Adyen',
      type: 'adyen',
    })
    expect(await merchantsUnder(oldKey).gatewayOf(merchantId, 'default')).toMatchObject({ type: 'sandbox' })
    expect(JSON.stringify(await database.run(everyRow, []))).not.toContain(
      Buffer.from(SECRET).toString('hex'),
    )
  })

  it('replaces the default on request', async () => {
    const merchantId = await make()
    const id = await addTo(merchantId, '--default', '--name', 'Adyen AU')
    expect(await merchantsUnder(oldKey).gatewayOf(merchantId, 'default')).toMatchObject({
      id,
      name: 'Adyen AU',
    })
  })

  it('opens for no other merchant and in no other row', async () => {
    const [one, other] = [await make(), await make()]
    const [id, otherId] = [await addTo(one), await addTo(other)]
    await expect(merchantsUnder(oldKey).credentialsOf(other, id)).rejects.toThrow('has no credentials')
    await database.script(
      `UPDATE gateways SET (wrapped_data_key, credentials) =
         (SELECT wrapped_data_key, credentials FROM gateways WHERE id = '${id}') WHERE id = '${otherId}'`,
    )
    await expect(merchantsUnder(oldKey).credentialsOf(other, otherId)).rejects.toThrow()
  })

  it('is changed or removed only if it is still as it was read', async () => {
    const merchantId = await make()
    const id = await addTo(merchantId)
    const merchants = merchantsUnder(oldKey)
    const asRead = (await merchants.keptCredentials(merchantId, id))?.sealed ?? Buffer.of()
    const now = (await merchants.changeCredentials(merchantId, id, asRead, { of: 'one' })) ?? Buffer.of()
    expect(await merchants.changeCredentials(merchantId, id, asRead, { of: 'other' })).toBeNull()
    expect(await merchants.removeGateway(merchantId, id, asRead)).toBe('overtaken')
    expect(await merchants.credentialsOf(merchantId, id)).toEqual({ of: 'one' })
    expect(await merchants.removeGateway(merchantId, id, now)).toBe('removed')
  })

  it('opens under a new master key once the vault has been rotated', async () => {
    await database.script(`DELETE FROM gateways`)
    const merchantId = await make()
    const id = await addTo(merchantId)
    const keys = localMasterKeys(`${newKey},${oldKey}`)
    await rotateVault({
      vault: createVault(keys),
      keys,
      places: allWrappedKeys(database),
      say: () => undefined,
    })
    expect(await merchantsUnder(newKey).credentialsOf(merchantId, id)).toMatchObject({ api_key: SECRET })
    await expect(merchantsUnder(oldKey).credentialsOf(merchantId, id)).rejects.toThrow('lacks the key new')
  })
})

describe('svc gateways add', () => {
  it.each([
    [['--merchant-account', 'A', '--url', 'http://pay.example.com/v72'], '--url must be an https:// URL.'],
    [['--merchant-account', 'A', '--url', 'https://user@pay.example.com'], '--url must be an https:// URL.'],
    [['--merchant-account', ' '], '--merchant-account must not be empty.'],
  ])('refuses %j in words', async (parameters, words) => {
    const answer = await add([await make(), 'adyen', ...parameters])
    expect(answer).toEqual({ code: 1, said: '', complained: `svc: ${words}` })
  })

  it('refuses an empty key and an unknown merchant', async () => {
    expect(await add([await make(), 'adyen', '--merchant-account', 'A'], '')).toMatchObject({ code: 1 })
    expect(await add(['none', 'adyen', '--merchant-account', 'A'])).toEqual({
      code: 1,
      said: '',
      complained: 'svc: There is no merchant none.',
    })
  })

  it.each([[['x', 'other', '--merchant-account', 'A']], [['x', 'adyen']], [[]]])(
    'shows its use for %j',
    async (p) => {
      expect((await add(p)).code).toBe(2)
    },
  )
})

describe('in production', () => {
  it('a merchant starts without a gateway, and its first one is the default', async () => {
    const production = merchantsUnder(oldKey, 'production_svc')
    const merchantId = await make('production_svc')
    expect(await production.gatewayOf(merchantId, 'default')).toBeNull()
    const id = await addTo(merchantId)
    expect(await merchantsUnder(oldKey, 'production_svc').gatewayOf(merchantId, 'default')).toMatchObject({
      id,
    })
  })

  it('the sandbox is no gateway, even if the database has one', async () => {
    const merchantId = await make()
    expect(await merchantsUnder(oldKey, 'staging_svc').gatewayOf(merchantId, 'default')).not.toBeNull()
    expect(await merchantsUnder(oldKey, 'production_svc').gatewayOf(merchantId, 'default')).toBeNull()
  })
})
