import type * as Sdk from '../index.js';
/** What the SDK's script leaves in the page as `window.svc`. */
export type Svc = typeof Sdk;
/** What a script is loaded with. */
export interface ScriptTraits {
    address: string;
    integrity: string | undefined;
    nonce: string | undefined;
}
/** Loads the script once, and gives what it left in the page. It stays in the page unless it failed. */
export declare function loadScript(traits: ScriptTraits, over: AbortSignal): Promise<Svc>;
