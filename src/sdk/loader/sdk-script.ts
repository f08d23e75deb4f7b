import type * as Sdk from '../index.ts'
import { setScriptAddress } from './script-address.ts'
import { SdkLoadError } from './sdk-load-error.ts'

/** The type of `window.svc`, which the SDK's script sets. */
export type Svc = typeof Sdk

/** How a script is loaded. */
export interface ScriptOptions {
  address: string
  integrity: string | undefined
  nonce: string | undefined
}

/** Loads a script once and returns the `window.svc` that it set. Its element stays in the page unless it failed. */
export async function loadScript(options: ScriptOptions, abandoned: AbortSignal): Promise<Svc> {
  const script = scriptOf(options)
  const before = current()
  const done = new AbortController()
  const { signal } = done
  let isBlocked = false
  const seeViolation = ({ blockedURI, disposition }: SecurityPolicyViolationEvent) => {
    isBlocked ||= disposition === 'enforce' && blockedURI !== '' && options.address.startsWith(blockedURI)
  }
  try {
    return await new Promise((resolve, reject) => {
      document.addEventListener('securitypolicyviolation', seeViolation, { signal })
      abandoned.addEventListener('abort', () => reject(new Error('no call waits for it')), { signal })
      script.addEventListener('error', () => reject(isBlocked ? blocked(options) : refused(options)), {
        signal,
      })
      script.addEventListener('load', () => {
        const svc = current()
        if (isSdk(svc) && svc !== before) resolve(svc)
        else reject(notFound(options))
      })
      document.head.append(script)
    })
  } catch (fault) {
    script.remove()
    throw fault
  } finally {
    done.abort()
  }
}

function scriptOf({ address, integrity, nonce }: ScriptOptions): HTMLScriptElement {
  const script = document.createElement('script')
  script.crossOrigin = 'anonymous'
  if (integrity !== undefined) script.integrity = integrity
  if (nonce !== undefined) script.nonce = nonce
  setScriptAddress(script, address)
  return script
}

function current(): unknown {
  return Reflect.get(window, 'svc')
}

function isSdk(value: unknown): value is Svc {
  return typeof value === 'object' && value !== null && 'HtmlWidget' in value
}

/** A browser does not say why it refused a script. That the file arrived means that its integrity is wrong. */
function refused({ address, integrity }: ScriptOptions): SdkLoadError {
  if (integrity !== undefined && wasReceived(address)) {
    return new SdkLoadError(
      'sdk_load_failed',
      `The browser refused the SDK at ${address}: it is not the file that integrity names. ` +
        'Take the hash from releases.json; if it is that one, someone has changed the file on its way.',
    )
  }
  return new SdkLoadError(
    'sdk_load_failed',
    `${navigator.onLine ? '' : 'The device is offline. '}The SDK at ${address} could not be loaded. ` +
      'Check the address, the network and, if integrity is given, that it is the hash of this file; then try again.',
    { retryable: true },
  )
}

function wasReceived(address: string): boolean {
  const last = performance.getEntriesByName(address).at(-1)
  return last instanceof PerformanceResourceTiming && last.responseStatus === 200
}

function blocked({ address }: ScriptOptions): SdkLoadError {
  return new SdkLoadError(
    'sdk_load_failed',
    `This page's Content-Security-Policy blocks the SDK. Add: script-src ${new URL(address).origin}`,
  )
}

function notFound({ address }: ScriptOptions): SdkLoadError {
  return new SdkLoadError(
    'sdk_not_found_after_load',
    `${address} was loaded, but left no SDK in window.svc. Give loadSdk the address of widget.umd.min.js.`,
  )
}
