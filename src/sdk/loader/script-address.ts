import { SdkLoadError } from './sdk-load-error.ts'

interface Policy {
  createScriptURL: (address: string) => unknown
}

interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => Policy
}

/** What a page with `require-trusted-types-for 'script'` has to allow: `trusted-types svc-load-sdk`. */
const POLICY_NAME = 'svc-load-sdk'

let policy: Policy | undefined

/** An absolute address that a script may be loaded from; throws an `SdkLoadError` where it is none. */
export function scriptAddress(url: string): string {
  const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : null
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new SdkLoadError('sdk_load_failed', `${url} is no web address. Give loadSdk the SDK's own.`)
  return address.href
}

/** Points a script to an address, as a trusted one where the browser knows Trusted Types. */
export function pointScript(script: HTMLScriptElement, address: string): void {
  try {
    Reflect.set(script, 'src', trusted(address))
  } catch (cause) {
    throw new SdkLoadError(
      'sdk_load_failed',
      `This page's Content-Security-Policy forbids the policy of loadSdk. Add: trusted-types ${POLICY_NAME}`,
      { cause },
    )
  }
}

/** The bare address where the page allows no policy of this name: it may demand none, or have a default one. */
function trusted(address: string): unknown {
  const factory: unknown = Reflect.get(window, 'trustedTypes')
  try {
    if (isFactory(factory)) policy ??= factory.createPolicy(POLICY_NAME, { createScriptURL: scriptAddress })
  } catch {
    return address
  }
  return policy === undefined ? address : policy.createScriptURL(address)
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value
}
