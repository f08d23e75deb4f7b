import * as v from 'valibot'
import { TEMPLATE_CONTENTS } from '../../../contract/api/checkouts/checkout-template.ts'
import type {
  Configuration,
  Customisation,
  TemplateType,
} from '../../../contract/api/checkouts/checkout-template.ts'
import { isValueText } from '../../../contract/page/value-text.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Snapshot } from './intent.ts'
import type { Template } from './template.ts'
import * as store from './template-store.ts'

/** A template as a merchant sends it; its content has passed its version's schema. */
export interface TemplateDraft {
  version: number
  label?: string | undefined
  content: Configuration | Customisation
}

export async function createTemplate(
  deps: CheckoutsDeps,
  merchantId: string,
  type: TemplateType,
  { version, label, content }: TemplateDraft,
): Promise<Template> {
  await refuseUnknownGateway(deps, merchantId, content)
  const template = {
    id: deps.createId(),
    merchantId,
    type,
    version,
    label: label ?? null,
    content: { ...content },
  }
  return store.addTemplate(deps.database, template)
}

/** Throws `not_found`, as `replaceTemplate` does. */
export async function getTemplate(
  { database }: CheckoutsDeps,
  merchantId: string,
  id: string,
): Promise<Template> {
  const template = await store.findTemplate(database, merchantId, id)
  if (template === null) throw notFound('template')
  return template
}

/** Replaces all of a template; earlier intents keep what it said. */
export async function replaceTemplate(
  deps: CheckoutsDeps,
  merchantId: string,
  id: string,
  { version, label, content }: TemplateDraft,
): Promise<Template> {
  await refuseUnknownGateway(deps, merchantId, content)
  const template = { id, merchantId, version, label: label ?? null, content: { ...content } }
  const replaced = await store.replaceTemplate(deps.database, template)
  if (replaced === null) throw notFound('template')
  return replaced
}

/** The template that a request for an intent names, and the intent's workflow version. */
interface Use {
  merchantId: string
  templateId: string | undefined
  workflowVersion: number
}

/** What a configuration says now; without one, a form's own behaviour. */
export async function configurationFor(deps: CheckoutsDeps, use: Use): Promise<Snapshot<Configuration>> {
  const template = await chosen(deps, 'configuration', use)
  if (template === null) return { templateId: null, revision: null, content: { capture: 'now' } }
  const schema = schemaOf(TEMPLATE_CONTENTS.configuration, template.version)
  return snapshotOf(template, v.parse(schema, template.content))
}

/** What a customisation says now; without one, a form's own looks. */
export async function customisationFor(deps: CheckoutsDeps, use: Use): Promise<Snapshot<Customisation>> {
  const template = await chosen(deps, 'customisation', use)
  if (template === null) return { templateId: null, revision: null, content: {} }
  const schema = schemaOf(TEMPLATE_CONTENTS.customisation, template.version)
  return snapshotOf(template, v.parse(schema, template.content))
}

async function chosen(
  { database }: CheckoutsDeps,
  type: TemplateType,
  { merchantId, templateId, workflowVersion }: Use,
): Promise<Template | null> {
  if (templateId === undefined) return null
  const template = await store.findTemplate(database, merchantId, templateId)
  if (template?.type !== type) throw templateNotFound(type, `There is no ${type} template with this id.`)
  if (template.version <= workflowVersion) return template
  const words = `The template is of version ${template.version}; this checkout is of version ${workflowVersion}, which takes templates up to its own.`
  throw templateNotFound(type, words)
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

function templateNotFound(type: TemplateType, message: string): ServiceError {
  const details = [{ path: `${type}.template_id`, message }]
  return new ServiceError('template_not_found', message, { details })
}

async function refuseUnknownGateway(
  { merchants }: CheckoutsDeps,
  merchantId: string,
  content: Configuration | Customisation,
): Promise<void> {
  const gatewayId = 'gateway_id' in content ? content.gateway_id : undefined
  if (gatewayId === undefined || (await merchants.gatewayOf(merchantId, gatewayId)) !== null) return
  const details = [{ path: 'content.gateway_id', message: "is not one of the merchant's gateways" }]
  throw new ServiceError('validation_error', 'The template names an unknown gateway.', { details })
}

const STYLE_REFUSED =
  'is not a CSS value that a form takes: it has none of ; { } \\ @ /* and no functions but those of colours and sizes'

/**
 * Throws `validation_error` for styles that every form ignores, whatever its browser. Only written templates are checked: those kept before
 * are still used.
 */
export function refuseStyles(content: Configuration | Customisation): void {
  const details = stylesOf(content).flatMap(([path, styles = {}]) =>
    Object.entries(styles)
      .filter(([, value]) => value !== undefined && !isValueText(value))
      .map(([name]) => ({ path: `${path}.${name}`, message: STYLE_REFUSED })),
  )
  if (details.length > 0)
    throw new ServiceError('validation_error', 'The template has styles that no form takes.', { details })
}

function stylesOf(
  content: Configuration | Customisation,
): (readonly [string, Readonly<Record<string, string | undefined>> | undefined])[] {
  const styles = 'styles' in content ? content.styles : undefined
  const ofElements = 'element_styles' in content ? content.element_styles : undefined
  return [
    ['content.styles', styles],
    ...(ofElements ?? []).map((one, at) => [`content.element_styles.${at}.styles`, one.styles] as const),
  ]
}
