import { LANGUAGES, STYLE_KEYS, TEXT_KEYS, THEMES } from '../contract/widget-appearance.ts'
import type { Element, StyleKey, Styles, TextKey, Texts, Theme } from '../contract/widget-appearance.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import { withElementStyle } from './element-style.ts'
import type { ElementStyles, StateOf } from './styled-element.ts'
import { knownEntries, knownNames } from './known-entries.ts'
import { mergedSettings } from '../contract/merged-settings.ts'

/** What a merchant says about the looks and words of the form, before it is there or while it is. */
export abstract class AppearanceMethods {
  /** @internal */
  protected settings: WidgetSettings = {}

  /** Changes some of the form's texts, at once if it is there. */
  setTexts(texts: Texts): this {
    return this.change({ texts: knownEntries('texts', TEXT_KEYS, texts) })
  }

  /** Changes one text of the form. */
  setText(key: TextKey, value: string): this {
    return this.setTexts({ [key]: value })
  }

  /** Changes some of the form's styles, at once if it is there. */
  setStyles(styles: Styles): this {
    return this.change({ styles: knownEntries('styles', STYLE_KEYS, styles) })
  }

  /** Changes one style of the form. */
  setStyle(key: StyleKey, value: string): this {
    return this.setStyles({ [key]: value })
  }

  /** Styles one part of the form: `input` (also on `focus` and in `error`), `submit_button` (also on `hover`), … */
  setElementStyle(element: Element, styles: ElementStyles): this
  setElementStyle<Part extends Element>(
    element: Part,
    state: StateOf<Part> | null | undefined,
    styles: ElementStyles,
  ): this
  setElementStyle(
    element: Element,
    stateOrStyles: StateOf<Element> | ElementStyles | null | undefined,
    styles?: ElementStyles,
  ): this {
    const [state, own] =
      typeof stateOrStyles === 'string' ? [stateOrStyles, styles] : [undefined, styles ?? stateOrStyles]
    const before = this.settings.element_styles ?? []
    return this.change({ element_styles: withElementStyle(before, element, state, own ?? {}) })
  }

  /** Chooses one of the named looks; styles go on top of it. */
  setTheme(name: Theme): this {
    const [theme] = knownNames('themes', THEMES, [name])
    return theme ? this.change({ theme }) : this
  }

  /** Language of the built-in texts, such as `fr` or `pt-BR`; English for one that is not built in. */
  setLanguage(code: string): this {
    const [language = 'en'] = knownNames('languages', LANGUAGES, [languageIn(code)])
    return this.change({ language })
  }

  /** @internal */
  protected change(settings: WidgetSettings): this {
    this.settings = mergedSettings(this.settings, settings)
    this.tellForm(settings)
    return this
  }

  /** @internal */
  protected abstract tellForm(settings: WidgetSettings): void
}

/** `pt` of `pt-BR`. */
function languageIn(code: unknown): string {
  return String(code)
    .replace(/[-_].*/, '')
    .toLowerCase()
}
