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
})

/** What the merchant was given by the card service. The secret key never goes to a page. */
export type ShopKeys = v.InferOutput<typeof ShopKeys>

/** Reads the keys, and reads them again whenever the file has changed: a new database comes with new ones. */
export function createKeyRing(file: string): () => Promise<ShopKeys> {
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
