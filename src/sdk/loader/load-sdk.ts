import { scriptAddress } from './script-address.ts'
import { SdkLoadError } from './sdk-load-error.ts'
import { loadScript } from './sdk-script.ts'
import type { ScriptOptions, Svc } from './sdk-script.ts'

export { SdkLoadError } from './sdk-load-error.ts'
export type { SdkLoadErrorCode } from './sdk-load-error.ts'
export type { Svc } from './sdk-script.ts'

/** How an SDK is loaded. */
export interface LoadSdkOptions {
  /** Subresource integrity, `sha384-…`: the browser refuses any other file. */
  integrity?: string
  /** Nonce of the page's Content-Security-Policy. */
  nonce?: string
  /** Milliseconds to wait, including a second try; 20 000 by default. */
  timeout?: number
  /** Aborts this call. */
  signal?: AbortSignal
}

/** A script that is loading or loaded, shared by all calls for it. */
interface Load {
  svc: Promise<Svc>
  /** Number of calls that wait for it. */
  waiting: number
  /** Makes the next call load the script again. */
  forget: () => void
  abandoned: AbortController
}

const TIMEOUT_MS = 20_000
const RETRY_DELAY_MS = 500

/** By address and integrity. A load that failed is removed. */
const loads = new Map<string, Load>()

/**
 * Loads the SDK from its address and returns `window.svc`. Several calls load it once. A failed load is tried once more after
 * half a second. Rejects with an `SdkLoadError`; the next call then loads it again.
 */
export async function loadSdk(url: string, options: LoadSdkOptions = {}): Promise<Svc> {
  const { integrity, nonce, timeout = TIMEOUT_MS, signal } = options
  if (typeof document === 'undefined')
    throw new SdkLoadError('sdk_load_failed', 'loadSdk works in a browser. Call it there, not on a server.')
  if (signal?.aborted) throw aborted(signal)
  const load = loadOf({ address: scriptAddress(url), integrity, nonce })
  const done = new AbortController()
  load.waiting += 1
  try {
    return await Promise.race([load.svc, limitOf({ url, timeout, signal, done: done.signal })])
  } catch (fault) {
    if (load.waiting === 1) load.forget()
    throw fault
  } finally {
    done.abort()
    load.waiting -= 1
    if (load.waiting === 0) load.abandoned.abort()
  }
}

function loadOf(script: ScriptOptions): Load {
  const name = `${script.address} ${script.integrity ?? ''}`
  const known = loads.get(name)
  if (known !== undefined) return known
  const abandoned = new AbortController()
  const forget = () => {
    if (loads.get(name) === load) loads.delete(name)
  }
  const load: Load = { svc: loadTwice(script, abandoned.signal), waiting: 0, forget, abandoned }
  load.svc.catch(forget)
  loads.set(name, load)
  return load
}

async function loadTwice(script: ScriptOptions, abandoned: AbortSignal): Promise<Svc> {
  try {
    return await loadScript(script, abandoned)
  } catch (fault) {
    if (!(fault instanceof SdkLoadError) || !fault.retryable) throw fault
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    if (abandoned.aborted) throw fault
    return await loadScript(script, abandoned)
  }
}

interface Limit {
  url: string
  timeout: number
  signal: AbortSignal | undefined
  /** Aborted when the load has settled. */
  done: AbortSignal
}

function limitOf({ url, timeout, signal, done }: Limit): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(timedOut(url, timeout)), timeout)
    done.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => reject(aborted(signal)), { signal: done })
  })
}

function timedOut(url: string, timeout: number): SdkLoadError {
  return new SdkLoadError(
    'sdk_load_timeout',
    `The SDK at ${url} did not come within ${timeout} ms. Check that the shopper's network reaches it, then try again.`,
    { retryable: true },
  )
}

function aborted(signal: AbortSignal): SdkLoadError {
  return new SdkLoadError('aborted', 'Loading the SDK was aborted by its signal.', { cause: signal.reason })
}
