import { resolve } from 'node:path'
import * as v from 'valibot'

const Environment = v.object({
  SVC_DEMO_PORT: v.pipe(
    v.optional(v.string(), '8090'),
    v.regex(/^\d{1,5}$/, 'SVC_DEMO_PORT must be a port number'),
    v.transform(Number),
    v.maxValue(65_535, 'SVC_DEMO_PORT must be a port number'),
  ),
  SVC_DATA_DIR: v.pipe(v.optional(v.string(), '.data'), v.nonEmpty('SVC_DATA_DIR must name a folder')),
})

/** The shop's settings. */
export interface ShopConfig {
  port: number
  /** The file with the merchant's keys, which the card service writes. */
  keysFile: string
}

/** Reads the environment; throws on the first wrong setting, naming it. */
export function readShopConfig(environment: Record<string, string | undefined> = process.env): ShopConfig {
  const settings = v.parse(Environment, environment)
  return { port: settings.SVC_DEMO_PORT, keysFile: resolve(settings.SVC_DATA_DIR, 'demo.json') }
}
