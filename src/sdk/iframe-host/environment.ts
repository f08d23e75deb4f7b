import { requireKnown } from '../settings/merchant-input.ts'

const NAMES = ['sandbox', 'staging_svc', 'preproduction_svc', 'production_svc'] as const

/** Names that `setEnv` takes. */
export type EnvironmentName = (typeof NAMES)[number]

/** Origin for environments that the build does not name: the one that served this script. Empty on a server. */
const servedFrom = scriptOrigin(
  typeof document === 'undefined' ? null : document.currentScript,
  import.meta.url,
)

/** Throws a TypeError unless the name is one of the environments: a page without types may pass anything. */
export function checkEnvironment(name: string): asserts name is EnvironmentName {
  requireKnown('environment', NAMES, name)
}

/**
 * Origin that serves the frame in an environment. `alias` is a host of the merchant or platform for it
 * (`https://cards.shop.example`, or a bare host, which means https) and wins over the build's table. Empty if unknown.
 */
export function widgetOrigin(name: EnvironmentName, alias?: string): string {
  if (!alias) return __SVC_ORIGINS__[name] ?? servedFrom
  return new URL(/^https?:/.test(alias) ? alias : `https://${alias}`).origin
}

/**
 * The origin that served this script: of its `<script>` element for the UMD file, of its module for the ES module. Empty if
 * it came from no web address, such as an app's own files. Call it while the script is first evaluated, as
 * `document.currentScript` is null afterwards. An element of another kind with that name is ignored.
 */
export function scriptOrigin(script: Document['currentScript'], moduleUrl: string | undefined): string {
  const address = script !== null && script instanceof HTMLScriptElement ? script.src : moduleUrl
  return address && /^https?:/.test(address) ? new URL(address).origin : ''
}
