import type { TemplateResource, TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'

/** Settings that a merchant makes once for many checkouts: how they work, or how they look. */
export interface Template {
  id: string
  merchantId: string
  type: TemplateType
  /** Which schema its content is of; never newer than the workflow that uses it. */
  version: number
  label: string | null
  content: Readonly<Record<string, unknown>>
  /** Counts its changes, from 1. */
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** A template → its wire form (contract §5). */
export function toTemplateResource(template: Template): TemplateResource {
  return {
    _id: template.id,
    type: template.type,
    version: template.version,
    label: template.label,
    content: template.content,
    revision: template.revision,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  }
}
