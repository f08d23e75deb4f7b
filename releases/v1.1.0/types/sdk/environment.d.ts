declare const NAMES: readonly ["sandbox", "staging_svc", "preproduction_svc", "production_svc"];
/** Names that `setEnv` takes. */
export type EnvironmentName = (typeof NAMES)[number];
/** Throws unless the name is one of the environments (a page without types may pass anything). */
export declare function checkEnvironment(name: string): asserts name is EnvironmentName;
/**
 * Origin that the frame of an environment comes from. `alias` is an own host of the merchant or platform for it
 * (`https://cards.shop.example`, or a bare host, which means https) and wins over the build's table. Empty when
 * nothing tells it.
 */
export declare function widgetOrigin(name: EnvironmentName, alias?: string): string;
export {};
