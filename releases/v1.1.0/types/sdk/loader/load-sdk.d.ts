import type { Svc } from './sdk-script.js';
export { SdkLoadError } from './sdk-load-error.js';
export type { SdkLoadErrorCode } from './sdk-load-error.js';
export type { Svc } from './sdk-script.js';
/** How an SDK is loaded. */
export interface LoadSdkOptions {
    /** `sha384-…`: the browser refuses any other file. */
    integrity?: string;
    /** For a page whose policy allows scripts by nonce. */
    nonce?: string;
    /** Milliseconds until the wait is over, a second try included; 20 000 unless told. */
    timeout?: number;
    /** Ends the wait of this call. */
    signal?: AbortSignal;
}
/**
 * Loads the SDK from its address, once however often it is asked for, and gives what `window.svc` holds then. A load that
 * fails is tried once more after half a second. Rejects with an `SdkLoadError`; the next call then tries anew.
 */
export declare function loadSdk(url: string, options?: LoadSdkOptions): Promise<Svc>;
