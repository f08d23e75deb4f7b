import * as v from 'valibot'
import { TEMPLATE_CONTENTS } from '../../../../contract/api/checkouts/checkout-template.ts'
import type {
  Configuration,
  Customisation,
  TemplateType,
} from '../../../../contract/api/checkouts/checkout-template.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { Snapshot } from '../intents/intent.ts'
import type { TemplateStore } from './template-store.ts'
import type { Template } from './template.ts'

/** What a merchant says of a template, its content as its version's schema has it. */
export interface TemplateDraft {
  version: number
  label?: string | undefined
  content: Configuration | Customisation
}

/** What a merchant can do with templates, and what an intent takes from them. */
export interface Templates {
  create: (merchantId: string, type: TemplateType, draft: TemplateDraft) => Promise<Template>
  get: (merchantId: string, id: string) => Promise<Template>
  list: TemplateStore['list']
  /** Replaces all of it; earlier intents keep what it said. */
  replace: (merchantId: string, id: string, draft: TemplateDraft) => Promise<Template>
  /** What a template says now, for a workflow version; without a template, what a form has by itself. */
  configurationFor: (use: Use) => Promise<Snapshot<Configuration>>
  customisationFor: (use: Use) => Promise<Snapshot<Customisation>>
}

interface Use {
  merchantId: string
  templateId: string | undefined
  workflowVersion: number
}

interface Parts {
  store: TemplateStore
  createId: CreateId
  hasGateway: (merchantId: string, gatewayId: string) => Promise<boolean>
}

export function createTemplates({ store, createId, hasGateway }: Parts): Templates {
  const get = async (merchantId: string, id: string): Promise<Template> => {
    const template = await store.find(merchantId, id)
    if (template === null) throw noSuchTemplate()
    return template
  }
  return {
    get,
    list: store.list,
    async create(merchantId, type, { version, label = null, content }) {
      await refuseUnknownGateway(merchantId, content)
      return store.add({ id: createId(), merchantId, type, version, label, content: { ...content } })
    },
    async replace(merchantId, id, { version, label = null, content }) {
      await refuseUnknownGateway(merchantId, content)
      const replaced = await store.replace({ id, merchantId, version, label, content: { ...content } })
      if (replaced === null) throw noSuchTemplate()
      return replaced
    },
    async configurationFor(use) {
      const template = await chosen('configuration', use)
      if (template === null) return { templateId: null, revision: null, content: { capture: 'now' } }
      return snapshotOf(
        template,
        v.parse(schemaOf(TEMPLATE_CONTENTS.configuration, template.version), template.content),
      )
    },
    async customisationFor(use) {
      const template = await chosen('customisation', use)
      if (template === null) return { templateId: null, revision: null, content: {} }
      return snapshotOf(
        template,
        v.parse(schemaOf(TEMPLATE_CONTENTS.customisation, template.version), template.content),
      )
    },
  }

  async function refuseUnknownGateway(merchantId: string, content: Configuration | Customisation) {
    const gatewayId = 'gateway_id' in content ? content.gateway_id : undefined
    if (gatewayId === undefined || (await hasGateway(merchantId, gatewayId))) return
    const details = [{ path: 'content.gateway_id', message: "is not one of the merchant's gateways" }]
    throw new ServiceError('validation_error', 'The template names an unknown gateway.', { details })
  }

  async function chosen(type: TemplateType, { merchantId, templateId, workflowVersion }: Use) {
    if (templateId === undefined) return null
    const template = await store.find(merchantId, templateId)
    if (template?.type !== type) throw templateNotFound(type, `There is no ${type} template with this id.`)
    if (template.version <= workflowVersion) return template
    const words = `The template is of version ${template.version}; this checkout is of version ${workflowVersion}, which takes templates up to its own.`
    throw templateNotFound(type, words)
  }
}

function snapshotOf<Content>({ id, revision }: Template, content: Content): Snapshot<Content> {
  return { templateId: id, revision, content }
}

/** The schema of a version of contents; throws `unknown_workflow_version` that names the known ones. */
export function schemaOf<Schema>(schemas: ReadonlyMap<number, Schema>, version: number): Schema {
  const schema = schemas.get(version)
  if (schema !== undefined) return schema
  throw new ServiceError(
    'unknown_workflow_version',
    `There is no template of version ${version}. Known: ${[...schemas.keys()].join(', ')}.`,
  )
}

function noSuchTemplate(): ServiceError {
  return new ServiceError('not_found', 'There is no template with this id.')
}

function templateNotFound(type: TemplateType, message: string): ServiceError {
  const details = [{ path: `${type}.template_id`, message }]
  return new ServiceError('template_not_found', message, { details })
}
