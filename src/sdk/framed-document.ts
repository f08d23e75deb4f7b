import type { StyleKey, Styles, Theme } from '../contract/page/widget-appearance.ts'
import type { EnvironmentName } from './iframe-host/environment.ts'
import { changed, hostOf } from './iframe-host/frame-host.ts'
import { languageIn, stylesIn, themeIn } from './settings/appearance.ts'
import { nameOf } from './settings/merchant-input.ts'

/** A document of the service in a frame of the page: where it comes from, its language and its looks. */
export abstract class FramedDocument {
  static {
    // Vue would wrap what is given to `ref()` and `reactive()` in a proxy, which can't reach private fields; this keeps it as it is.
    Object.defineProperty(this.prototype, '__v_skip', { value: true })
  }

  readonly #host = hostOf(this)

  /**
   * Chooses the environment for the next `load()`. `alias` is an origin or host of your own for it, such as
   * `https://cards.shop.example` or `cards.shop.example`, and wins over the built-in one.
   * @throws TypeError on an unknown name or an invalid alias.
   */
  setEnv(name: EnvironmentName, alias?: string): this {
    this.#host.setEnvironment(name, alias)
    return this
  }

  /** Name of the environment: `sandbox` until `setEnv`. */
  getEnv(): EnvironmentName {
    return this.#host.environment
  }

  /** Changes some of the styles; what is shown changes at once. */
  setStyles(styles: Styles): this {
    return changed(this, stylesIn(styles))
  }

  /** Changes one style. */
  setStyle(key: StyleKey, value: string): this {
    return this.setStyles({ [nameOf(key)]: value })
  }

  /** Chooses a built-in theme. Styles override it. */
  setTheme(name: Theme): this {
    return changed(this, themeIn(this.#host.settings, name))
  }

  /**
   * Sets the language of the built-in texts, such as `fr` or `pt-BR` (of `fr-CA` the region is ignored); unknown ones become English. Without it, or with `auto`,
   * it is the page's (`lang`), else the browser's.
   */
  setLanguage(code: string): this {
    return changed(this, code === 'auto' ? { language: this.#host.pageLanguage } : languageIn(code))
  }
}
