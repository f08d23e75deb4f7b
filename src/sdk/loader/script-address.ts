import { SdkLoadError } from './sdk-load-error.ts'

interface Policy {
  createScriptURL: (address: string) => unknown
}

interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => Policy
}

/** A page with `require-trusted-types-for 'script'` must allow this policy: `trusted-types svc-load-sdk`. */
const POLICY_NAME = 'svc-load-sdk'

let policy: Policy | undefined

/** The absolute address of a script. Throws an `SdkLoadError` unless it is a web address. A page without types may pass anything. */
export function scriptAddress(url: unknown): string {
  if (typeof url !== 'string' || url === '')
    throw new SdkLoadError(
      'sdk_load_failed',
      `loadSdk(url): url is ${url === '' ? 'empty' : String(url)}. Pass recommended_sdk_version_url.`,
    )
  const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : null
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new SdkLoadError('sdk_load_failed', `${url} is no web address. Give loadSdk the SDK's own.`)
  return address.href
}

/** Sets a script's address, through a Trusted Types policy where the browser supports them. */
export function setScriptAddress(script: HTMLScriptElement, address: string): void {
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

/** The plain address where the page does not allow the policy: it may not require one, or have a default policy. */
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
