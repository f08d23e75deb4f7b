import * as v from 'valibot'
import { FORM_FIELDS, HIDEABLE } from './fields/card-fields.ts'
import {
  CARD_ICONS,
  ELEMENT_PROPERTIES,
  ELEMENT_STATES,
  ELEMENTS,
  LANGUAGES,
  LAYOUTS,
  MAX_VALUE_LENGTH,
  STYLE_KEYS,
  TEXT_KEYS,
  THEMES,
} from './widget-appearance.ts'

const shortText = v.pipe(v.string(), v.maxLength(MAX_VALUE_LENGTH))
/* @__NO_SIDE_EFFECTS__ */
const textsBy = <Key extends string>(keys: readonly Key[]) =>
  v.partial(v.strictObject(v.entriesFromList(keys, shortText)))

const field = v.picklist(FORM_FIELDS)
const textsByField = textsBy(FORM_FIELDS)

/** Everything that a merchant can set on a form. Absent settings keep their default. */
export const WidgetSettings = v.partial(
  v.strictObject({
    ref_id: shortText,
    /** The shop's page to which a checkout leads back who can't pay; it wins over the intent's. */
    return_url: shortText,
    language: v.picklist(LANGUAGES),
    /** Colour schemes of the page around the form: its used `color-scheme`. */
    color_scheme: v.picklist(['light', 'dark', 'light dark']),
    theme: v.picklist(THEMES),
    layout: v.picklist(LAYOUTS),
    texts: textsBy(TEXT_KEYS),
    styles: textsBy(STYLE_KEYS),
    element_styles: v.array(
      v.strictObject({
        element: v.picklist(ELEMENTS),
        state: v.optional(v.picklist(ELEMENT_STATES)),
        styles: textsBy(ELEMENT_PROPERTIES),
      }),
    ),
    /** Fields in display order; absent means the card's own. */
    fields: v.array(v.strictObject({ field, required: v.boolean() })),
    labels: textsByField,
    placeholders: textsByField,
    /** The card number and code are never preset: their values are ignored. */
    values: textsByField,
    hidden: v.array(v.picklist(HIDEABLE)),
    /** Card schemes whose icons are shown. With `only_supported` every other scheme is invalid. */
    card_icons: v.array(v.picklist(CARD_ICONS)),
    only_supported: v.boolean(),
    /** Whether the focus goes on by itself from a card field that is complete and right; true if absent. */
    auto_advance: v.boolean(),
    meta: v.record(v.pipe(v.string(), v.maxLength(64)), v.unknown()),
  }),
)
export type WidgetSettings = v.InferOutput<typeof WidgetSettings>
