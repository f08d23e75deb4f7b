import * as v from 'valibot'
import { TEMPLATE_CONTENTS } from '../../../../contract/api/checkouts/checkout-template.ts'
import type {
  Configuration,
  Customisation,
  TemplateRequest,
  TemplateType,
} from '../../../../contract/api/checkouts/checkout-template.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { schemaOf } from './templates.ts'
import type { TemplateDraft } from './templates.ts'

type AnyContent = v.GenericSchema<unknown, Configuration | Customisation>

/**
 * A template's body, its content as its version's schema has it; throws `unknown_workflow_version`, or `validation_error`
 * with paths below `content`.
 */
export function decodeTemplate(type: TemplateType, { content, ...body }: TemplateRequest): TemplateDraft {
  const schema = schemaOf<AnyContent>(TEMPLATE_CONTENTS[type], body.version)
  return { ...body, ...decode(v.object({ content: schema }), { content }) }
}
