import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const Demo = v.looseObject({
  public_key: v.string(),
  secret_key: v.string(),
  gateway_id: v.string(),
  client_id: v.optional(v.string()),
  dashboard: v.optional(v.object({ email: v.string(), password: v.string() })),
})
type Demo = v.InferOutput<typeof Demo>

/** Addresses of this start; they may differ from those of an earlier one. */
export interface DemoUrls {
  service_url: string
  shop_url: string
  dashboard_url: string
}

/** `demo.json` in the data folder: what a developer needs for the demo merchant, readable for this account only. */
export interface DemoFile {
  /** Null when there is none. */
  read: () => Demo | null
  /** Adds to what stands there already, and brings the addresses up to date. */
  add: (more: object) => void
}

export function openDemoFile(dataDir: string, { dashboard_url: url, ...urls }: DemoUrls): DemoFile {
  const file = join(dataDir, 'demo.json')
  const read = () => (existsSync(file) ? v.parse(Demo, JSON.parse(readFileSync(file, 'utf8'))) : null)
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
