import { FORM_FIELDS } from '../contract/card-fields.ts'
import type { FormField } from '../contract/card-fields.ts'
import { CARD_ICONS } from '../contract/widget-appearance.ts'
import type { CardIcon } from '../contract/widget-appearance.ts'
import { elementsOf, propertyByField, shownFields, withField } from './form-elements.ts'
import type { FieldName, FormElement } from './form-element.ts'
import { FrameMethods } from './frame-methods.ts'
import { jsonOf } from './json-of.ts'
import { knownEntries, knownNames, listOf } from './known-entries.ts'

type FieldTexts = Partial<Record<FormField, string>>

/** A field whose content a page may preset: the card number and code never pass through a merchant's page. */
export type PresetField = Exclude<FormField, 'card_number' | 'card_ccv'>
type PresetValues = Partial<Record<PresetField, string>>

/** What `hideElements` and its kin can hide. */
export type HideableElement = FormField | 'submit_button'

const HIDEABLE = ['submit_button', ...FORM_FIELDS] as const
const PRESETS = FORM_FIELDS.filter((field): field is PresetField => !/number|ccv/.test(field))

/** What a merchant says about the form of a card: its fields, its schemes and what is kept with it; before it is there or while it is. */
export abstract class FieldMethods extends FrameMethods {
  /** Fields that are shown, in this order; a trailing `*` makes one required. The card's own are always required. */
  setFormFields(fields: readonly FieldName[]): this {
    return this.change({ fields: shownFields(fields) })
  }

  /** Like `setFormFields`, with labels, placeholders and values at once. */
  setFormElements(elements: readonly FormElement[]): this {
    const list = elementsOf(elements)
    return this.change({ fields: shownFields(list.map(({ field }) => field)) }).#describe(list)
  }

  /** Adds one field to those shown, or says more about one of them. */
  setFormElement(element: FormElement): this {
    const [one = {}] = elementsOf([element])
    return this.change({ fields: withField(one['field'], this.settings.fields) }).#describe([one])
  }

  /** Changes some labels; any text will do. */
  setFormLabels(labels: FieldTexts): this {
    return this.change({ labels: knownEntries('labels', FORM_FIELDS, labels) })
  }

  /** Changes the label of one field. */
  setFormLabel(field: FormField, label: string): this {
    return this.setFormLabels({ [field]: label })
  }

  /** Changes some placeholders. */
  setFormPlaceholders(placeholders: FieldTexts): this {
    return this.change({ placeholders: knownEntries('placeholders', FORM_FIELDS, placeholders) })
  }

  /** Changes the placeholder of one field. */
  setFormPlaceholder(field: FormField, placeholder: string): this {
    return this.setFormPlaceholders({ [field]: placeholder })
  }

  /** Fills some fields; never the card number or code. */
  setFormValues(values: PresetValues): this {
    return this.change({ values: knownEntries('values', PRESETS, values) })
  }

  /** Fills one field. */
  setFormValue(field: PresetField, value: string): this {
    return this.setFormValues({ [field]: value })
  }

  /** The same as `setFormValues`, by the name it has for a form that is there. */
  updateFormValues(values: PresetValues): this {
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

  #hide(elements: unknown): this {
    return this.change({ hidden: [...new Set(knownNames('elements', HIDEABLE, elements))] })
  }

  /** Hides these too. */
  hideElements(elements: readonly HideableElement[]): this {
    return this.#hide([...(this.settings.hidden ?? []), ...listOf(elements)])
  }

  /** Shows these again. */
  showElements(elements: readonly HideableElement[]): this {
    const shown = knownNames('elements', HIDEABLE, elements)
    return this.setHiddenElements((this.settings.hidden ?? []).filter((name) => !shown.includes(name)))
  }

  /** Schemes whose icons are shown; with `validate` a card of any other scheme is invalid. */
  setSupportedCardIcons(icons: readonly CardIcon[], validate = false): this {
    return this.change({
      card_icons: knownNames('card icons', CARD_ICONS, icons),
      // Whatever a page without types says, the form takes a flag or nothing.
      only_supported: validate ? true : false,
    })
  }

  /** A reference of the merchant's own that every event echoes as `ref_id`. */
  setRefId(id: string | number): this {
    return this.change(knownEntries('settings', ['ref_id'], { ref_id: String(id) }))
  }

  /** What is kept with the payment source beside the card; anything that JSON can hold. */
  setMeta(meta: Record<string, unknown>): this {
    return this.change({ meta: jsonOf(meta) })
  }

  #describe(elements: readonly Record<string, unknown>[]): this {
    return this.setFormLabels(propertyByField(elements, 'label'))
      .setFormPlaceholders(propertyByField(elements, 'placeholder'))
      .setFormValues(propertyByField(elements, 'value'))
  }
}
