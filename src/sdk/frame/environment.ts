import { checkKnown } from '../settings/check-known.ts'
import { scriptOrigin } from './script-origin.ts'

const NAMES = ['sandbox', 'staging_svc', 'preproduction_svc', 'production_svc'] as const

/** Names that `setEnv` takes. */
export type EnvironmentName = (typeof NAMES)[number]

/** Origin for a name that the build's table lacks: where this very script came from. A server may import it too. */
const servedFrom = scriptOrigin(
  typeof document === 'undefined' ? null : document.currentScript,
  import.meta.url,
)

/** Throws unless the name is one of the environments (a page without types may pass anything). */
export function checkEnvironment(name: string): asserts name is EnvironmentName {
  checkKnown('environment', NAMES, name)
}

/**
 * Origin that the frame of an environment comes from. `alias` is an own host of the merchant or platform for it
 * (`https://cards.shop.example`, or a bare host, which means https) and wins over the build's table. Empty when
 * nothing tells it.
 */
export function widgetOrigin(name: EnvironmentName, alias?: string): string {
  if (!alias) return __SVC_ORIGINS__[name] ?? servedFrom
  return new URL(/^https?:/.test(alias) ? alias : `https://${alias}`).origin
}
