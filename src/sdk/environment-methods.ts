import { AppearanceMethods } from './appearance-methods.ts'
import { checkEnvironment, widgetOrigin } from './environment.ts'
import type { EnvironmentName } from './environment.ts'

/** Which installation the form comes from. */
export abstract class EnvironmentMethods extends AppearanceMethods {
  #environment: EnvironmentName = 'sandbox'
  /** @internal Empty when nothing tells it. */
  protected origin = widgetOrigin('sandbox')

  /**
   * Chooses the environment for the next `load()`. `alias` is an own origin or host for it, such as
   * `https://cards.shop.example` or `cards.shop.example`, and wins over the one that the SDK knows.
   * @throws TypeError on an unknown name or an alias that is no host.
   */
  setEnv(name: EnvironmentName, alias?: string): this {
    checkEnvironment(name)
    this.origin = widgetOrigin(name, alias)
    this.#environment = name
    return this
  }

  /** Name of the environment: `sandbox` until `setEnv`. */
  getEnv(): EnvironmentName {
    return this.#environment
  }
}
