import * as v from 'valibot'
import {
  TemplateQuery,
  TemplateRequest,
  TemplateResource,
} from '../../../../contract/api/checkouts/checkout-template.ts'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import type { DescribedResource, Operation } from '../../../platform/http/operation.ts'
import { pageEntries } from '../../../platform/listing/page-query.ts'

export const TemplateParams = v.object({ id: Identifier })
export const TemplateListQuery = v.strictObject({
  ...TemplateQuery.entries,
  limit: pageEntries.limit,
  cursor: pageEntries.cursor,
})
export const SchemaParams = v.object({
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
export const templateOperations = {
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
