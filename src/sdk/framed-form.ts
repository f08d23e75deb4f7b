import type {
  Element,
  Layout,
  StyleKey,
  Styles,
  TextKey,
  Texts,
  Theme,
} from '../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import type { EnvironmentName } from './iframe-host/environment.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { elementStyleIn, languageIn, layoutIn, stylesIn, textsIn, themeIn } from './settings/appearance.ts'
import type { ElementStyles, StateOf } from './settings/appearance.ts'
import { nameOf } from './settings/merchant-input.ts'

/** A form in a frame of the page: where the frame comes from, and the form's texts, styles and language. */
export abstract class FramedForm {
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

  /** Changes some of the form's texts; a form that is shown changes at once. */
  setTexts(texts: Texts): this {
    return this.#change(textsIn(texts))
  }

  /** Changes one text of the form. */
  setText(key: TextKey, value: string): this {
    return this.setTexts({ [nameOf(key)]: value })
  }

  /** Changes some of the form's styles; a form that is shown changes at once. */
  setStyles(styles: Styles): this {
    return this.#change(stylesIn(styles))
  }

  /** Changes one style of the form. */
  setStyle(key: StyleKey, value: string): this {
    return this.setStyles({ [nameOf(key)]: value })
  }

  /** Styles one element: `input` (states `focus` and `error`), `submit_button` (state `hover`), `label`, `title`, … */
  setElementStyle(element: Element, styles: ElementStyles): this
  setElementStyle<Name extends Element>(
    element: Name,
    state: StateOf<Name> | null | undefined,
    styles: ElementStyles,
  ): this
  setElementStyle(
    element: Element,
    state: StateOf<Element> | ElementStyles | null | undefined,
    styles?: ElementStyles,
  ) {
    return this.#change(elementStyleIn(this.#host.settings, element, state, styles))
  }

  /** Chooses a built-in theme. Styles override it. */
  setTheme(name: Theme): this {
    return this.#change(themeIn(this.#host.settings, name))
  }

  /** `line`: number, expiry and code stand in one box, in two lines where it is narrow. `stacked`: each under its label. */
  setLayout(name: Layout): this {
    return this.#change(layoutIn(name))
  }

  /**
   * Sets the language of the built-in texts, such as `fr` or `pt-BR` (of `fr-CA` the region is ignored); unknown ones become English. Without it, or with `auto`,
   * it is the page's (`lang`), else the browser's.
   */
  setLanguage(code: string): this {
    return this.#change(code === 'auto' ? { language: this.#host.pageLanguage } : languageIn(code))
  }

  /** Whether the focus goes on by itself from a card field that is complete and right, as it does until this is called with false. */
  setAutoAdvance(isOn = true): this {
    // A page without types may pass any value; the frame accepts a boolean only.
    return this.#change({ auto_advance: isOn ? true : false })
  }

  #change(change: WidgetSettings): this {
    this.#host.change(change)
    return this
  }
}
