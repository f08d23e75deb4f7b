import { FORM_FIELDS } from '../contract/page/card-fields.ts'
import type { FormField } from '../contract/page/card-fields.ts'
import { CARD_ICONS } from '../contract/page/widget-appearance.ts'
import type {
  CardIcon,
  Element,
  StyleKey,
  Styles,
  TextKey,
  Texts,
  Theme,
} from '../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../contract/page/widget-settings.ts'
import { elementStyleIn, languageIn, stylesIn, textsIn, themeIn } from './settings/appearance.ts'
import type { EnvironmentName } from './frame/environment.ts'
import type {
  FieldName,
  FieldTexts,
  FormElement,
  HideableElement,
  PresetField,
} from './settings/form-element.ts'
import { elementsOf, propertyByField, shownFields, withField } from './settings/form-elements.ts'
import { hostOf } from './frame/frame-host.ts'
import { jsonOf } from './settings/json-of.ts'
import { knownEntries, knownNames, listOf } from './settings/known-entries.ts'
import type { ElementStyles, StateOf } from './settings/styled-element.ts'

const HIDEABLE = ['submit_button', ...FORM_FIELDS] as const
const PRESETS = FORM_FIELDS.filter((field): field is PresetField => !/number|ccv/.test(field))

/** All that a merchant can set on a card form, before it is there or while it is. */
export abstract class SettableForm {
  readonly #host = hostOf(this)

  /**
   * Chooses the environment for the next `load()`. `alias` is an own origin or host for it, such as
   * `https://cards.shop.example` or `cards.shop.example`, and wins over the one that the SDK knows.
   * @throws TypeError on an unknown name or an alias that is no host.
   */
  setEnv(name: EnvironmentName, alias?: string): this {
    this.#host.setEnvironment(name, alias)
    return this
  }

  /** Name of the environment: `sandbox` until `setEnv`. */
  getEnv(): EnvironmentName {
    return this.#host.environment
  }

  /** Changes some of the form's texts, at once if it is there. */
  setTexts(texts: Texts): this {
    return this.#change(textsIn(texts))
  }

  /** Changes one text of the form. */
  setText(key: TextKey, value: string): this {
    return this.setTexts({ [key]: value })
  }

  /** Changes some of the form's styles, at once if it is there. */
  setStyles(styles: Styles): this {
    return this.#change(stylesIn(styles))
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
    state: StateOf<Element> | ElementStyles | null | undefined,
    styles?: ElementStyles,
  ) {
    return this.#change(elementStyleIn(this.#host.settings, element, state, styles))
  }

  /** Chooses one of the named looks; styles go on top of it. */
  setTheme(name: Theme): this {
    return this.#change(themeIn(this.#host.settings, name))
  }

  /** Language of the built-in texts, such as `fr` or `pt-BR`; English for one that is not built in. */
  setLanguage(code: string): this {
    return this.#change(languageIn(code))
  }

  /** Fields that are shown, in this order; a trailing `*` makes one required. The card's own are always required. */
  setFormFields(fields: readonly FieldName[]): this {
    return this.#change({ fields: shownFields(fields) })
  }

  /** Like `setFormFields`, with labels, placeholders and values at once. */
  setFormElements(elements: readonly FormElement[]): this {
    const list = elementsOf(elements)
    return this.#change({ fields: shownFields(list.map(({ field }) => field)) }).#describe(list)
  }

  /** Adds one field to those shown, or says more about one of them. */
  setFormElement(element: FormElement): this {
    const [one = {}] = elementsOf([element])
    return this.#change({ fields: withField(one['field'], this.#host.settings.fields) }).#describe([one])
  }

  /** Changes some labels; any text will do. */
  setFormLabels(labels: FieldTexts): this {
    return this.#change({ labels: knownEntries('labels', FORM_FIELDS, labels) })
  }

  /** Changes the label of one field. */
  setFormLabel(field: FormField, label: string): this {
    return this.setFormLabels({ [field]: label })
  }

  /** Changes some placeholders. */
  setFormPlaceholders(placeholders: FieldTexts): this {
    return this.#change({ placeholders: knownEntries('placeholders', FORM_FIELDS, placeholders) })
  }

  /** Changes the placeholder of one field. */
  setFormPlaceholder(field: FormField, placeholder: string): this {
    return this.setFormPlaceholders({ [field]: placeholder })
  }

  /** Fills some fields; never the card number or code. */
  setFormValues(values: Partial<Record<PresetField, string>>): this {
    return this.#change({ values: knownEntries('values', PRESETS, values) })
  }

  /** Fills one field. */
  setFormValue(field: PresetField, value: string): this {
    return this.setFormValues({ [field]: value })
  }

  /** The same as `setFormValues`, by the name it has for a form that is there. */
  updateFormValues(values: Partial<Record<PresetField, string>>): this {
    return this.setFormValues(values)
  }

  /** The same as `setFormValue`. */
  updateFormValue(field: PresetField, value: string): this {
    return this.setFormValues({ [field]: value })
  }

  /** Hides these and shows all others. */
  setHiddenElements(elements: readonly HideableElement[]): this {
    return this.#hide(elements)
  }

  /** Hides these too. */
  hideElements(elements: readonly HideableElement[]): this {
    return this.#hide([...(this.#host.settings.hidden ?? []), ...listOf(elements)])
  }

  /** Shows these again. */
  showElements(elements: readonly HideableElement[]): this {
    const shown = knownNames('elements', HIDEABLE, elements)
    return this.#hide((this.#host.settings.hidden ?? []).filter((name) => !shown.includes(name)))
  }

  /** Schemes whose icons are shown; with `validate` a card of any other scheme is invalid. */
  setSupportedCardIcons(icons: readonly CardIcon[], validate = false): this {
    // A page without types may say anything: the form takes a flag.
    const only_supported = validate ? true : false
    return this.#change({ card_icons: knownNames('card icons', CARD_ICONS, icons), only_supported })
  }

  /** A reference of the merchant's own that every event echoes as `ref_id`. */
  setRefId(id: string | number): this {
    return this.#change(knownEntries('settings', ['ref_id'], { ref_id: String(id) }))
  }

  /** What is kept with the payment source beside the card; anything that JSON can hold. */
  setMeta(meta: Record<string, unknown>): this {
    return this.#change({ meta: jsonOf(meta) })
  }

  #change(change: WidgetSettings): this {
    this.#host.change(change)
    return this
  }

  #hide(elements: unknown): this {
    return this.#change({ hidden: [...new Set(knownNames('elements', HIDEABLE, elements))] })
  }

  #describe(elements: readonly Record<string, unknown>[]): this {
    return this.setFormLabels(propertyByField(elements, 'label'))
      .setFormPlaceholders(propertyByField(elements, 'placeholder'))
      .setFormValues(propertyByField(elements, 'value'))
  }
}
