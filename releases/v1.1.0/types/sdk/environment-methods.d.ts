import { AppearanceMethods } from './appearance-methods.js';
import type { EnvironmentName } from './environment.js';
/** Which installation the form comes from. */
export declare abstract class EnvironmentMethods extends AppearanceMethods {
    #private;
    /**
     * Chooses the environment for the next `load()`. `alias` is an own origin or host for it, such as
     * `https://cards.shop.example` or `cards.shop.example`, and wins over the one that the SDK knows.
     * @throws TypeError on an unknown name or an alias that is no host.
     */
    setEnv(name: EnvironmentName, alias?: string): this;
    /** Name of the environment: `sandbox` until `setEnv`. */
    getEnv(): EnvironmentName;
}
