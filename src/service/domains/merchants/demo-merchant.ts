import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Merchants } from './merchants.ts'

interface Demo {
  merchants: Merchants
  dataDir: string
  /** Addresses of this start; they may differ from those of an earlier one. */
  urls: { service_url: string; shop_url: string }
}

const DemoFile = v.looseObject({ public_key: v.string(), secret_key: v.string(), gateway_id: v.string() })

/**
 * In a sandbox with an empty database: makes the demo merchant and says its keys in `demo.json`, for this
 * account only. Later starts bring the addresses in that file up to date.
 */
export async function makeDemoMerchant({ merchants, dataDir, urls }: Demo): Promise<void> {
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
  } else if (existsSync(file)) {
    write(v.parse(DemoFile, JSON.parse(readFileSync(file, 'utf8'))))
  }
}
