import * as v from 'valibot'
import { WorkflowVersion } from './checkout-request.ts'
import { TEMPLATE_TYPES } from './checkout-template-contents.ts'
import { Identifier } from './identifier.ts'
import { onlyKnown } from './only-known.ts'
import { text } from './text.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** Body of `POST …/templates` and `PUT …/templates/{id}` (contract §5); `content` is judged by its version's schema. */
export const TemplateRequest = v.strictObject(
  { version: WorkflowVersion, label: v.optional(text(100)), content: v.record(v.string(), v.unknown()) },
  onlyKnown('version, label and content'),
)

/** Query of `GET|POST /v1/checkouts/templates`. */
export const TemplateQuery = v.strictObject({
  type: v.picklist(TEMPLATE_TYPES, 'type must be configuration or customisation'),
})

/** A template on the wire. `revision` counts its changes; a checkout keeps what it said when the checkout was made. */
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
