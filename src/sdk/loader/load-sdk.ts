import { scriptAddress } from './script-address.ts'
import { SdkLoadError } from './sdk-load-error.ts'
import { loadScript } from './sdk-script.ts'
import type { ScriptTraits, Svc } from './sdk-script.ts'

export { SdkLoadError } from './sdk-load-error.ts'
export type { SdkLoadErrorCode } from './sdk-load-error.ts'
export type { Svc } from './sdk-script.ts'

/** How an SDK is loaded. */
export interface LoadSdkOptions {
  /** `sha384-…`: the browser refuses any other file. */
  integrity?: string
  /** For a page whose policy allows scripts by nonce. */
  nonce?: string
  /** Milliseconds until the wait is over, a second try included; 20 000 unless told. */
  timeout?: number
  /** Ends the wait of this call. */
  signal?: AbortSignal
}

/** One script on its way, and those who wait for it. */
interface Load {
  svc: Promise<Svc>
  waiting: number
  /** The next call is to begin anew. */
  forget: () => void
  over: AbortController
}

const TIMEOUT_MS = 20_000
const BACK_OFF_MS = 500

/** By address and hash; one that failed is forgotten. */
const loads = new Map<string, Load>()

/**
 * Loads the SDK from its address, once however often it is asked for, and gives what `window.svc` holds then. A load that
 * fails is tried once more after half a second. Rejects with an `SdkLoadError`; the next call then tries anew.
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
    if (load.waiting === 0) load.over.abort()
  }
}

function loadOf(traits: ScriptTraits): Load {
  const name = `${traits.address} ${traits.integrity ?? ''}`
  const known = loads.get(name)
  if (known !== undefined) return known
  const over = new AbortController()
  const forget = () => {
    if (loads.get(name) === load) loads.delete(name)
  }
  const load: Load = { svc: loadTwice(traits, over.signal), waiting: 0, forget, over }
  load.svc.catch(forget)
  loads.set(name, load)
  return load
}

async function loadTwice(traits: ScriptTraits, over: AbortSignal): Promise<Svc> {
  try {
    return await loadScript(traits, over)
  } catch (fault) {
    if (!(fault instanceof SdkLoadError) || !fault.retryable) throw fault
    await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS))
    if (over.aborted) throw fault
    return await loadScript(traits, over)
  }
}

interface Limit {
  url: string
  timeout: number
  signal: AbortSignal | undefined
  /** The wait is over by itself. */
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
