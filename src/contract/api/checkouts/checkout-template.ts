import * as v from 'valibot'
import { AUTHENTICATION_WISHES } from '../charges/authentication.ts'
import { WorkflowVersionNumber } from './checkout-request.ts'
import { Identifier } from '../fields/identifier.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { text } from '../fields/text.ts'
import { FORM_FIELDS } from '../../page/fields/card-fields.ts'
import { CARD_ICONS } from '../../page/widget-appearance.ts'
import { WidgetSettings } from '../../page/widget-settings.ts'

const FormField = v.strictObject({ field: v.picklist(FORM_FIELDS), required: v.boolean() })

/** Configuration, version 1: which cards, fields and gateway, and when the funds are captured. */
const ConfigurationV1 = v.strictObject({
  /** Accepted card schemes; absent means all. */
  schemes: v.optional(v.pipe(v.array(v.picklist(CARD_ICONS)), v.minLength(1, 'must name a scheme'))),
  /** Fields in addition to those that every card needs, in display order. */
  fields: v.optional(v.pipe(v.array(FormField), v.maxLength(FORM_FIELDS.length))),
  /** One of the merchant's gateways; absent means the default one. */
  gateway_id: v.optional(Identifier),
  /** `later` holds the funds, to be captured by `POST /v1/charges/{id}/capture`. */
  capture: v.optional(v.picklist(['now', 'later']), 'now'),
})

/** Configuration, version 2: also how many payments may fail before the checkout closes, and whether card holders are authenticated. */
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
  /** 3-D Secure (contract §4.3); absent means as the gateway account says. */
  authentication: v.optional(v.picklist(AUTHENTICATION_WISHES)),
})

/** Customisation, version 1: the form's texts, styles, theme and language, as in the widget's settings. */
const CustomisationV1 = v.pick(WidgetSettings, ['texts', 'styles', 'element_styles', 'theme', 'language'])

/** Customisation, version 2: may also have the card in one line, and hide reference and description from the card holder. */
const CustomisationV2 = v.strictObject({
  ...CustomisationV1.entries,
  layout: WidgetSettings.entries.layout,
  show_reference: v.optional(v.boolean()),
})

export type Configuration = v.InferOutput<typeof ConfigurationV2>
export type Customisation = v.InferOutput<typeof CustomisationV2>

type ConfigurationSchema = v.GenericSchema<unknown, Configuration>
type CustomisationSchema = v.GenericSchema<unknown, Customisation>

/**
 * Schemas of a template's content, by its type and version (contract §5). A published version never changes, so templates of
 * it keep working as before.
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

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** Body of `POST …/templates` and `PUT …/templates/{id}` (contract §5). The version's schema checks `content`. */
export const TemplateRequest = v.strictObject(
  {
    version: WorkflowVersionNumber,
    label: v.optional(text(100)),
    content: v.record(v.string(), v.unknown()),
  },
  onlyKnown('version, label and content'),
)
export type TemplateRequest = v.InferOutput<typeof TemplateRequest>

/** Query of `GET|POST /v1/checkouts/templates`. */
export const TemplateQuery = v.strictObject({
  type: v.picklist(TEMPLATE_TYPES, 'type must be configuration or customisation'),
})

/** A template on the wire. `revision` counts its changes. A checkout keeps the content it was created with. */
export const TemplateResource = v.strictObject({
  _id: Identifier,
  type: v.picklist(TEMPLATE_TYPES),
  version: v.number(),
  label: v.nullable(v.string()),
  content: v.record(v.string(), v.unknown()),
  revision: v.number(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type TemplateResource = v.InferOutput<typeof TemplateResource>
