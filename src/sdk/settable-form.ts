import { FORM_FIELDS, HIDEABLE } from '../contract/page/fields/card-fields.ts'
import type { FormField } from '../contract/page/fields/card-fields.ts'
import { CARD_ICONS } from '../contract/page/widget-appearance.ts'
import type { CardIcon } from '../contract/page/widget-appearance.ts'
import { changed, hostOf } from './iframe-host/frame-host.ts'
import { FramedForm } from './framed-form.ts'
import { elementsOf, propertyByField, shownFields, withField } from './settings/form-elements.ts'
import type {
  FieldName,
  FieldTexts,
  FormElement,
  HideableElement,
  PresetField,
} from './settings/form-elements.ts'
import { jsonOf, knownEntries, knownNames, listOf, nameOf } from './settings/merchant-input.ts'

const PRESETS = FORM_FIELDS.filter((field): field is PresetField => !/number|ccv/.test(field))

/** A card form whose fields a merchant can set, before the form is shown and while it is shown. */
export abstract class SettableForm extends FramedForm {
  readonly #host = hostOf(this)

  /** Sets the fields to show, in this order. A trailing `*` makes a field required; the card's own always are. */
  setFormFields(fields: readonly FieldName[]): this {
    return changed(this, { fields: shownFields(fields) })
  }

  /** Like `setFormFields`, and sets labels, placeholders and values as well. */
  setFormElements(elements: readonly FormElement[]): this {
    const list = elementsOf(elements)
    return changed(this, { fields: shownFields(list.map(({ field }) => field)) }).#describe(list)
  }

  /** Adds one field, or changes one that is shown. */
  setFormElement(element: FormElement): this {
    const [one = {}] = elementsOf([element])
    return changed(this, { fields: withField(one['field'], this.#host.settings.fields) }).#describe([one])
  }

  /** Changes some labels. */
  setFormLabels(labels: FieldTexts): this {
    return changed(this, { labels: knownEntries('labels', FORM_FIELDS, labels) })
  }

  /** Changes the label of one field. */
  setFormLabel(field: FormField, label: string): this {
    return this.setFormLabels({ [nameOf(field)]: label })
  }

  /** Changes some placeholders. */
  setFormPlaceholders(placeholders: FieldTexts): this {
    return changed(this, { placeholders: knownEntries('placeholders', FORM_FIELDS, placeholders) })
  }

  /** Changes the placeholder of one field. */
  setFormPlaceholder(field: FormField, placeholder: string): this {
    return this.setFormPlaceholders({ [nameOf(field)]: placeholder })
  }

  /** Fills some fields; never the card number or code. */
  setFormValues(values: Partial<Record<PresetField, string>>): this {
    return changed(this, { values: knownEntries('values', PRESETS, values) })
  }

  /** Fills one field. */
  setFormValue(field: PresetField, value: string): this {
    return this.setFormValues({ [nameOf(field)]: value })
  }

  /** The same as `setFormValues`. */
  updateFormValues(values: Partial<Record<PresetField, string>>): this {
    return this.setFormValues(values)
  }

  /** The same as `setFormValue`. */
  updateFormValue(field: PresetField, value: string): this {
    return this.setFormValue(field, value)
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

  /** Sets the card schemes whose icons are shown. With `validate`, a card of any other scheme is invalid. */
  setSupportedCardIcons(icons: readonly CardIcon[], validate = false): this {
    // A page without types may pass any value; the frame accepts a boolean only.
    const only_supported = validate ? true : false
    return changed(this, { card_icons: knownNames('card icons', CARD_ICONS, icons), only_supported })
  }

  /** Sets a reference of the merchant's own. Every event carries it as `ref_id`. */
  setRefId(id: string | number): this {
    return changed(this, knownEntries('settings', ['ref_id'], { ref_id: String(id) }))
  }

  /** Sets data that is stored with the payment source: any JSON object with keys up to 64 characters. */
  setMeta(meta: Record<string, unknown>): this {
    return changed(this, { meta: jsonOf(meta) })
  }

  #hide(elements: unknown): this {
    return changed(this, { hidden: [...new Set(knownNames('elements', HIDEABLE, elements))] })
  }

  #describe(elements: readonly Record<string, unknown>[]): this {
    return this.setFormLabels(propertyByField(elements, 'label'))
      .setFormPlaceholders(propertyByField(elements, 'placeholder'))
      .setFormValues(propertyByField(elements, 'value'))
  }
}
