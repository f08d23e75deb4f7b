import * as v from 'valibot'
import { FORM_FIELDS } from '../page/card-fields.ts'
import { Identifier } from './identifier.ts'
import { CARD_ICONS } from '../page/widget-appearance.ts'
import { WidgetSettings } from '../page/widget-settings.ts'

const FormField = v.strictObject({ field: v.picklist(FORM_FIELDS), required: v.boolean() })

/** Version 1 of what a configuration says: which cards, which fields, which gateway, and when the money is taken. */
const ConfigurationV1 = v.strictObject({
  /** Schemes that are taken; absent means all. */
  schemes: v.optional(v.pipe(v.array(v.picklist(CARD_ICONS)), v.minLength(1, 'must name a scheme'))),
  /** Fields beside those that every card needs, in the order they are shown. */
  fields: v.optional(v.pipe(v.array(FormField), v.maxLength(FORM_FIELDS.length))),
  /** One of the merchant's gateways; absent means the default one. */
  gateway_id: v.optional(Identifier),
  /** `later` holds the funds, to be captured by `POST /v1/charges/{id}/capture`. */
  capture: v.optional(v.picklist(['now', 'later']), 'now'),
})

/** Version 2 may also say how many cards may fail before the checkout takes no more. */
const ConfigurationV2 = v.strictObject({
  ...ConfigurationV1.entries,
  most_tries: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be an integer'),
      v.minValue(1, 'must be 1 to 10'),
      v.maxValue(10, 'must be 1 to 10'),
    ),
  ),
})

/** Version 1 of what a customisation says: how the form looks and speaks, as the widget's own settings do. */
const CustomisationV1 = v.pick(WidgetSettings, ['texts', 'styles', 'element_styles', 'theme', 'language'])

/** Version 2 may also keep reference and description from the card holder's eyes. */
const CustomisationV2 = v.strictObject({
  ...CustomisationV1.entries,
  show_reference: v.optional(v.boolean()),
})

export type Configuration = v.InferOutput<typeof ConfigurationV2>
export type Customisation = v.InferOutput<typeof CustomisationV2>

type ConfigurationSchema = v.GenericSchema<unknown, Configuration>
type CustomisationSchema = v.GenericSchema<unknown, Customisation>

/**
 * What a template's content may say, by its type and version (contract §5). A landed version never changes: a template
 * of it behaves as on its first day.
 */
export const TEMPLATE_CONTENTS = {
  configuration: new Map<number, ConfigurationSchema>([
    [1, ConfigurationV1],
    [2, ConfigurationV2],
  ]),
  customisation: new Map<number, CustomisationSchema>([
    [1, CustomisationV1],
    [2, CustomisationV2],
  ]),
}

export const TEMPLATE_TYPES = ['configuration', 'customisation'] as const
export type TemplateType = (typeof TEMPLATE_TYPES)[number]
