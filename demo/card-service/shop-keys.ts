import { readFile, stat } from 'node:fs/promises'
import * as v from 'valibot'
import { CardServiceFault } from './card-service-fault.ts'

const address = v.pipe(
  v.string(),
  v.url(),
  v.transform((url) => url.replace(/\/+$/, '')),
)

const ShopKeys = v.object({
  service_url: address,
  public_key: v.string(),
  secret_key: v.string(),
  gateway_id: v.string(),
  /** The shop as an OAuth client, for agreements. Missing where another issuer makes access tokens. */
  client_id: v.optional(v.string()),
  client_secret: v.optional(v.string()),
})

/** The merchant's keys from the card service. The secrets are never sent to a page. */
export type ShopKeys = v.InferOutput<typeof ShopKeys>

/** Returns the function that reads the keys. It reads them again if the file has changed, as a new database has new keys. */
export function createKeyReader(file: string): () => Promise<ShopKeys> {
  let known: { changed: number; keys: ShopKeys } | undefined
  return async () => {
    const changed = await stat(file).then(
      (facts) => facts.mtimeMs,
      () => undefined,
    )
    if (changed === undefined) throw new CardServiceFault('keys_missing', `There are no keys in ${file} yet.`)
    if (known?.changed !== changed) known = { changed, keys: await readKeys(file) }
    return known.keys
  }
}

async function readKeys(file: string): Promise<ShopKeys> {
  try {
    return v.parse(ShopKeys, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    throw new CardServiceFault('keys_missing', `The keys in ${file} cannot be read.`)
  }
}
