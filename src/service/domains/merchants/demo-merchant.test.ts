import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { createIds } from '../../platform/identifiers.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { SCOPES } from '../../../contract/api/scope.ts'
import { createTextVault } from '../../platform/vault/vault.ts'
import { makeDemoMerchant } from './demo-merchant.ts'
import { createClients } from '../oauth/clients.ts'
import { createMerchants } from './merchants.ts'

describe('the demo merchant', () => {
  const keys = localMasterKeys(`test:${randomBytes(32).toString('base64')}`)
  let database: Database
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-demo-'))
  beforeAll(async () => {
    database = await createMigratedDatabase()
  })
  afterAll(async () => {
    await database.close()
    rmSync(dataDir, { recursive: true })
  })
  const acts = { createId: createIds({ epochMs: Date.now }), actor: 'service' as const }
  const open = () =>
    createMerchants({
      database,
      textVault: createTextVault(() => keys),
      clock: monotonicClock,
      environment: 'sandbox',
      ...acts,
    })
  const people: { merchantId: string; email: string; password: string }[] = []
  const users = {
    isKnown: (email: string) => Promise.resolve(people.some((person) => person.email === email)),
    addOwner: (owner: (typeof people)[number]) => {
      people.push(owner)
      return Promise.resolve()
    },
  }
  const demo = (port: number, dashboardPort = 8070) =>
    makeDemoMerchant({
      merchants: open(),
      clients: createClients({ database, environment: 'sandbox', ...acts }),
      users,
      dataDir,
      urls: {
        service_url: `http://localhost:${port}`,
        shop_url: 'http://localhost:8090',
        dashboard_url: `http://localhost:${dashboardPort}`,
      },
    })
  const Demo = v.object({
    service_url: v.string(),
    shop_url: v.string(),
    public_key: v.string(),
    secret_key: v.string(),
    gateway_id: v.string(),
    client_id: v.string(),
    client_secret: v.string(),
    dashboard: v.object({ url: v.string(), email: v.string(), password: v.string() }),
  })
  const written = () => v.parse(Demo, JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))

  it('is made in an empty database, with keys that only this account can read', async () => {
    await demo(8080)
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
    const { secret_key: key, gateway_id: gatewayId } = written()
    const merchant = await open().keys.holderOf(key, 'secret')
    expect(merchant).toMatchObject({ name: 'Marlow & Finch', preAuth: true })
    expect(await open().gatewayOf(merchant?.id ?? '', 'default')).toMatchObject({
      id: gatewayId,
      type: 'sandbox',
    })
    expect(await open().keys.holderOf(key, 'public')).toBeNull()
  })

  it('has a client with the secret in that file and every scope', async () => {
    const { client_id: id, client_secret: secret } = written()
    const merchant = await open().keys.holderOf(written().secret_key, 'secret')
    const client = await createClients({ database, environment: 'sandbox', ...acts }).withSecret(id, secret)
    expect(client).toMatchObject({ merchantId: merchant?.id, scopes: SCOPES })
  })

  it('has an owner with the password in that file', async () => {
    const { dashboard, secret_key: key } = written()
    const merchant = await open().keys.holderOf(key, 'secret')
    expect(people).toEqual([
      {
        merchantId: merchant?.id,
        email: dashboard.email,
        name: 'Demo owner',
        password: dashboard.password,
      },
    ])
    expect(dashboard).toMatchObject({ url: 'http://localhost:8070', email: 'owner@demo-shop.example' })
    expect(dashboard.password).toMatch(/^[\w-]{20}$/)
  })

  it('keeps its keys and password at a later start, with new addresses', async () => {
    const before = written()
    await demo(9999, 9998)
    expect(written()).toEqual({
      ...before,
      service_url: 'http://localhost:9999',
      dashboard: { ...before.dashboard, url: 'http://localhost:9998' },
    })
    expect(people).toHaveLength(1)
  })

  it('gets an owner if there is none, or one that was only announced', async () => {
    const { dashboard, ...earlier } = written()
    const file = join(dataDir, 'demo.json')
    for (const content of [earlier, { ...earlier, dashboard }]) {
      writeFileSync(file, JSON.stringify(content))
      people.length = 0
      await demo(8080)
      expect(people).toMatchObject([{ password: written().dashboard.password }])
      expect(written().dashboard.password).not.toBe(dashboard.password)
    }
  })

  it('gets a client if there is none, or one that was only announced', async () => {
    const { client_id: known, ...rest } = written()
    const earlier = { ...rest, client_secret: undefined }
    const file = join(dataDir, 'demo.json')
    writeFileSync(file, JSON.stringify(earlier))
    await demo(8080)
    const { client_id: added } = written()
    expect(added).not.toBe(known)
    writeFileSync(file, JSON.stringify({ ...earlier, client_id: 'client_lost', client_secret: 'cs_lost' }))
    await demo(8080)
    expect(written().client_id).toMatch(/^client_[0-9a-f]{24}$/)
    expect(written()).toMatchObject({ public_key: earlier.public_key, secret_key: earlier.secret_key })
  })
})
