import { toJsonSchema } from '@valibot/to-json-schema'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  TEMPLATE_CONTENTS,
  TemplateQuery,
  TemplateRequest,
  TemplateResource,
} from '../../../contract/api/checkouts/checkout-template.ts'
import type {
  Configuration,
  Customisation,
  TemplateType,
} from '../../../contract/api/checkouts/checkout-template.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { TemplateUse as TemplateUseResource } from '../../../contract/dashboard/templates/template-use.ts'
import type { DashboardAccess, MerchantAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import type { DescribedResource, Operation } from '../../platform/http/operation.ts'
import { decode, decodeBody } from '../../platform/http/requests/decode.ts'
import { pageEntries, pageOf, toFilter } from '../../platform/listing/page-query.ts'
import type { CheckoutsDeps } from './deps.ts'
import { toTemplateResource } from './template.ts'
import { listTemplates, listUses } from './template-store.ts'
import type { TemplateUse } from './template-store.ts'
import { createTemplate, getTemplate, refuseStyles, replaceTemplate, schemaOf } from './templates.ts'
import type { TemplateDraft } from './templates.ts'

const PATH = '/v1/checkouts/templates'

/** Templates of checkouts (contract §5). */
export function addTemplateRoutes(
  app: FastifyInstance,
  deps: CheckoutsDeps,
  { authenticate, answerIdempotently }: MerchantAccess,
): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'checkout_template', operation } })

  app.post(PATH, config(templateOperations.create), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { type } = decode(TemplateQuery, request.query)
    const body = decodeBody(TemplateRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const made = await createTemplate(deps, merchantId, type, decodeTemplate(type, body))
      return { status: 201, type: 'checkout_template', data: toTemplateResource(made) }
    })
  })

  app.get(PATH, config(templateOperations.list), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { type, ...query } = decode(TemplateListQuery, request.query)
    const { shown, next } = await pageOf(toFilter({ ...query, skip: 0 }), (page) =>
      listTemplates(deps.database, merchantId, { type, ...page }),
    )
    return answer(reply, 200, 'checkout_template', shown.map(toTemplateResource), next)
  })

  app.get(`${PATH}/:id`, config(templateOperations.get), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { id } = decode(TemplateParams, request.params)
    const template = await getTemplate(deps, merchantId, id)
    return answer(reply, 200, 'checkout_template', toTemplateResource(template))
  })

  app.put(`${PATH}/:id`, config(templateOperations.replace), async (request, reply) => {
    const { id: merchantId } = await authenticate(request, 'secret')
    const { id } = decode(TemplateParams, request.params)
    const body = decodeBody(TemplateRequest, request.body)
    return answerIdempotently({ request, reply, merchantId }, async () => {
      const { type } = await getTemplate(deps, merchantId, id)
      const replaced = await replaceTemplate(deps, merchantId, id, decodeTemplate(type, body))
      return { status: 200, type: 'checkout_template', data: toTemplateResource(replaced) }
    })
  })

  app.get(
    `${PATH}/schemas/:type/:version`,
    { config: { resourceType: 'checkout_template_schema', operation: templateOperations.schema } },
    async (request, reply) => {
      const { type, version } = decode(SchemaParams, request.params)
      const schema = schemaOf<v.GenericSchema>(TEMPLATE_CONTENTS[type], version)
      return answer(reply, 200, 'checkout_template_schema', toJsonSchema(schema, JSON_SCHEMA))
    },
  )
}

/** Checks that JSON Schema 2020-12 has no words for are left out. */
const JSON_SCHEMA = { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' } as const

type AnyContent = v.GenericSchema<unknown, Configuration | Customisation>

/**
 * Decodes a template's body, its content by its version's schema. Throws `unknown_workflow_version`, or `validation_error` with paths
 * below `content`.
 */
function decodeTemplate(type: TemplateType, { content, ...body }: TemplateRequest): TemplateDraft {
  const schema = schemaOf<AnyContent>(TEMPLATE_CONTENTS[type], body.version)
  const draft = { ...body, ...decode(v.object({ content: schema }), { content }) }
  refuseStyles(draft.content)
  return draft
}

const UsesQuery = v.strictObject({ limit: pageEntries.limit, cursor: pageEntries.cursor })

/** Which checkouts use a template, for the dashboard. */
export function addTemplateUseRoute(
  app: FastifyInstance,
  deps: CheckoutsDeps,
  { sessionOf }: DashboardAccess,
): void {
  const config = { permission: 'read', resourceType: 'template_use' } as const
  app.get('/api/templates/:id/checkouts', { config }, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { id } = decode(TemplateParams, request.params)
    const query = decode(UsesQuery, request.query)
    const template = await getTemplate(deps, merchantId, id)
    const { shown, next } = await pageOf(toFilter({ ...query, skip: 0 }), (page) =>
      listUses(deps.database, template, page),
    )
    return answer(reply, 200, 'template_use', shown.map(toTemplateUse), next)
  })
}

function toTemplateUse({
  id,
  status,
  amount,
  currency,
  reference,
  template_revision,
  createdAt,
}: TemplateUse): TemplateUseResource {
  return {
    checkout_id: id,
    status,
    amount_cents: amount,
    currency,
    reference,
    revision: template_revision,
    created_at: createdAt.toISOString(),
  }
}

const TemplateParams = v.object({ id: Identifier })
const TemplateListQuery = v.strictObject({
  ...TemplateQuery.entries,
  limit: pageEntries.limit,
  cursor: pageEntries.cursor,
})
const SchemaParams = v.object({
  ...TemplateQuery.entries,
  version: v.pipe(v.string(), v.regex(/^\d{1,6}$/, 'version must be an integer'), v.transform(Number)),
})

const content = { schemes: ['visa', 'mastercard'], fields: [{ field: 'email', required: true }] }
const template: DescribedResource = {
  name: 'CheckoutTemplate',
  schema: TemplateResource,
  words: { version: 'Which schema `content` is of.', revision: 'Counts its changes, from 1.' },
  example: {
    _id: '6b01799184f819f4cecbe1a7',
    type: 'configuration',
    version: 1,
    label: null,
    content: { ...content, capture: 'now' },
    revision: 1,
    created_at: '2026-11-21T10:00:00.000Z',
    updated_at: '2026-11-21T10:00:00.000Z',
  },
}
const schema: DescribedResource = {
  name: 'CheckoutTemplateSchema',
  schema: v.record(v.string(), v.unknown()),
  example: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
}

const group = 'Checkout templates'
const body = {
  schema: TemplateRequest,
  words: { content: 'By the schema of its type and version.' },
  example: { version: 1, content },
}
const params = { schema: TemplateParams, words: { id: 'The `_id` of a template.' } }

/** The routes of templates as the OpenAPI document shows them (contract §5). */
const templateOperations = {
  create: {
    id: 'createCheckoutTemplate',
    isRepeatable: true,
    group,
    key: 'secret',
    summary: 'Make a template',
    query: { schema: TemplateQuery, example: { type: 'configuration' } },
    body,
    answers: [{ status: 201, words: 'The template.', resource: template }],
    errors: ['unknown_workflow_version'],
  },
  list: {
    id: 'listCheckoutTemplates',
    group,
    key: 'secret',
    summary: 'List templates of a type',
    query: { schema: TemplateListQuery, example: { type: 'configuration' } },
    answers: [{ status: 200, words: 'A page of templates, newest first.', resource: template, isPage: true }],
  },
  get: {
    id: 'getCheckoutTemplate',
    group,
    key: 'secret',
    summary: 'Read a template',
    params,
    answers: [{ status: 200, words: 'The template.', resource: template }],
    errors: ['not_found'],
  },
  replace: {
    id: 'replaceCheckoutTemplate',
    isRepeatable: true,
    group,
    key: 'secret',
    summary: 'Replace a template',
    description: 'All of it. A checkout that was made before keeps what the template said then.',
    params,
    body,
    answers: [{ status: 200, words: 'The template, its `revision` one more.', resource: template }],
    errors: ['not_found', 'unknown_workflow_version'],
  },
  schema: {
    id: 'getCheckoutTemplateSchema',
    group,
    key: 'none',
    summary: 'Read the JSON Schema of a type and version of templates',
    params: { schema: SchemaParams, example: { type: 'configuration', version: '1' } },
    answers: [{ status: 200, words: 'JSON Schema, 2020-12.', resource: schema }],
    errors: ['unknown_workflow_version'],
  },
} as const satisfies Record<string, Operation>
