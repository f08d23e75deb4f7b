import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { SCOPES } from '../../../contract/api/scope.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { Merchants } from './merchants.ts'

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
  /** Null if another issuer makes access tokens. */
  clients: DemoClients | null
  users: DemoUsers
  dataDir: string
  urls: DemoUrls
}

/**
 * Makes the demo merchant of a sandbox with an empty database, and writes its keys to `demo.json`. Later starts update the
 * addresses in that file, and add a missing client or person.
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
  const merchant = await merchants.keys.holderOf(known.secret_key, 'secret')
  if (merchant === null) return
  if (clients !== null) await addDemoClient(clients, merchant.id, file)
  await addDemoUser(users, merchant.id, file)
}

/** A client that was announced before a crash is in the file, and not in the database. */
async function addDemoClient(clients: DemoClients, merchantId: string, file: DemoFile): Promise<void> {
  const clientId = file.read()?.client_id
  if (clientId !== undefined && (await clients.find(clientId)) !== null) return
  await clients.make(merchantId, SCOPES, ({ clientId: client_id, clientSecret: client_secret }) =>
    file.add({ client_id, client_secret }),
  )
}

const DEMO_EMAIL = 'owner@demo-shop.example'

/** A password that the person has changed is unknown here. */
async function addDemoUser(users: DemoUsers, merchantId: string, file: DemoFile): Promise<void> {
  if (await users.isKnown(DEMO_EMAIL)) return
  const password = randomBytes(15).toString('base64url')
  file.add({ dashboard: { email: DEMO_EMAIL, password } })
  await users.addOwner({ merchantId, email: DEMO_EMAIL, name: 'Demo owner', password })
}

const DemoContent = v.looseObject({
  public_key: v.string(),
  secret_key: v.string(),
  gateway_id: v.string(),
  client_id: v.optional(v.string()),
  dashboard: v.optional(v.object({ email: v.string(), password: v.string() })),
})
type DemoContent = v.InferOutput<typeof DemoContent>

/** The addresses that the service has now; those of an earlier start may differ. */
interface DemoUrls {
  service_url: string
  shop_url: string
  dashboard_url: string
}

/** `demo.json` in the data folder: the demo merchant's keys and addresses. Only this operating-system account can read it. */
interface DemoFile {
  /** Null if there is none. */
  read: () => DemoContent | null
  /** Adds to the content, and updates the addresses. */
  add: (more: object) => void
}

function openDemoFile(dataDir: string, { dashboard_url: url, ...urls }: DemoUrls): DemoFile {
  const file = join(dataDir, 'demo.json')
  const read = () => (existsSync(file) ? v.parse(DemoContent, JSON.parse(readFileSync(file, 'utf8'))) : null)
  return {
    read,
    add(more) {
      const content: { dashboard?: object | undefined } = { ...read(), ...more }
      const dashboard = content.dashboard === undefined ? {} : { dashboard: { ...content.dashboard, url } }
      const text = JSON.stringify({ ...content, ...urls, ...dashboard }, null, 2)
      writeFileSync(file, `${text}\n`, { mode: 0o600 })
    },
  }
}
