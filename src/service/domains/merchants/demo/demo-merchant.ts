import { randomBytes } from 'node:crypto'
import { SCOPES } from '../../../../contract/api/scope.ts'
import type { Scope } from '../../../../contract/api/scope.ts'
import { openDemoFile } from './demo-file.ts'
import type { DemoFile, DemoUrls } from './demo-file.ts'
import type { Merchants } from '../merchants.ts'

interface DemoClients {
  find: (clientId: string) => Promise<object | null>
  /** `announce` is called with the client before it is stored. */
  make: (
    merchantId: string,
    scopes: readonly Scope[],
    announce: (made: { clientId: string; clientSecret: string }) => void,
  ) => Promise<unknown>
}

interface DemoUsers {
  isKnown: (email: string) => Promise<boolean>
  addOwner: (owner: { merchantId: string; email: string; name: string; password: string }) => Promise<void>
}

interface Demo {
  merchants: Merchants
  /** The demo merchant's program that asks with access tokens; null where another issuer makes those. */
  clients: DemoClients | null
  /** The demo merchant's person at the dashboard. */
  users: DemoUsers
  dataDir: string
  urls: DemoUrls
}

/**
 * In a sandbox with an empty database: makes the demo merchant and says its keys in `demo.json`, for this
 * account only. Later starts bring the addresses in that file up to date, and add a client and a person that are not there.
 */
export async function makeDemoMerchant(demo: Demo): Promise<void> {
  const { merchants, clients, users, dataDir, urls } = demo
  const file = openDemoFile(dataDir, urls)
  if (await merchants.isEmpty()) {
    await merchants.make(
      { name: 'Marlow & Finch', preAuth: true, allowedOrigins: [] },
      ({ publicKey, secretKey, gatewayId }) =>
        file.add({ public_key: publicKey, secret_key: secretKey, gateway_id: gatewayId }),
    )
  }
  const known = file.read()
  if (known === null) return
  file.add({})
  const merchant = await merchants.ofKey(known.secret_key, 'secret')
  if (merchant === null) return
  if (clients !== null) await addDemoClient(clients, merchant.id, file)
  await addDemoUser(users, merchant.id, file)
}

/** A data folder from before agreements has no client; one that was only announced is not stored. */
async function addDemoClient(clients: DemoClients, merchantId: string, file: DemoFile): Promise<void> {
  const clientId = file.read()?.client_id
  if (clientId !== undefined && (await clients.find(clientId)) !== null) return
  await clients.make(merchantId, SCOPES, ({ clientId: client_id, clientSecret: client_secret }) =>
    file.add({ client_id, client_secret }),
  )
}

const DEMO_EMAIL = 'owner@demo-shop.example'

/** Nor has it a person before the dashboard. A changed password is unknown here. */
async function addDemoUser(users: DemoUsers, merchantId: string, file: DemoFile): Promise<void> {
  if (await users.isKnown(DEMO_EMAIL)) return
  const password = randomBytes(15).toString('base64url')
  file.add({ dashboard: { email: DEMO_EMAIL, password } })
  await users.addOwner({ merchantId, email: DEMO_EMAIL, name: 'Demo owner', password })
}
