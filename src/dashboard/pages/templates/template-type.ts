import { TEMPLATE_TYPES } from '../../../contract/api/checkouts/checkout-template.ts'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'

/** Which type of templates an address is about; configurations, if it does not say. */
export function typeIn(query: URLSearchParams): TemplateType {
  return TEMPLATE_TYPES.find((type) => type === query.get('type')) ?? 'configuration'
}
