import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { SCOPES } from '../../platform/http/callers/access-token.ts'
import type { Scope } from '../../platform/http/callers/access-token.ts'
import type { Merchants } from './merchants.ts'

interface DemoClients {
  find: (clientId: string) => Promise<object | null>
  /** `announce` hears of the client before it is stored. */
  make: (
    merchantId: string,
    scopes: readonly Scope[],
    announce: (made: { clientId: string; clientSecret: string }) => void,
  ) => Promise<unknown>
}

interface Demo {
  merchants: Merchants
  /** The demo merchant's program that asks with access tokens; null where another issuer makes those. */
  clients: DemoClients | null
  dataDir: string
  /** Addresses of this start; they may differ from those of an earlier one. */
  urls: { service_url: string; shop_url: string }
}

const DemoFile = v.looseObject({
  public_key: v.string(),
  secret_key: v.string(),
  gateway_id: v.string(),
  client_id: v.optional(v.string()),
})

/**
 * In a sandbox with an empty database: makes the demo merchant and says its keys in `demo.json`, for this
 * account only. Later starts bring the addresses in that file up to date, and add a client that is not there.
 */
export async function makeDemoMerchant({ merchants, clients, dataDir, urls }: Demo): Promise<void> {
  const file = join(dataDir, 'demo.json')
  const write = (content: object) => {
    writeFileSync(file, `${JSON.stringify({ ...content, ...urls }, null, 2)}\n`, { mode: 0o600 })
  }
  if (await merchants.isEmpty()) {
    await merchants.make(
      { name: 'Demo shop', preAuth: true, allowedOrigins: [] },
      ({ publicKey, secretKey, gatewayId }) =>
        write({ public_key: publicKey, secret_key: secretKey, gateway_id: gatewayId }),
    )
  }
  if (!existsSync(file)) return
  const known = v.parse(DemoFile, JSON.parse(readFileSync(file, 'utf8')))
  write(known)
  if (clients !== null) await addDemoClient({ merchants, clients }, known, write)
}

/** A data folder of a release before agreements has no client; one that was only announced is not stored. */
async function addDemoClient(
  { merchants, clients }: { merchants: Merchants; clients: DemoClients },
  known: v.InferOutput<typeof DemoFile>,
  write: (content: object) => void,
): Promise<void> {
  if (known.client_id !== undefined && (await clients.find(known.client_id)) !== null) return
  const merchant = await merchants.ofKey(known.secret_key, 'secret')
  if (merchant === null) return
  await clients.make(merchant.id, SCOPES, ({ clientId: client_id, clientSecret: client_secret }) =>
    write({ ...known, client_id, client_secret }),
  )
}
