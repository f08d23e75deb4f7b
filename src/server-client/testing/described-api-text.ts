import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import type { IR, PluginInstance } from '@hey-api/openapi-ts'
import * as v from 'valibot'
import { NEVER_UNDEFINED } from '../sending/api.ts'

/** The keys of a merchant's server. What a page, a payer or a monitor calls is not for the client. */
const SERVER_KEYS = ['secret', 'oauth']

const Operation = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.array(v.looseObject({ name: v.string(), in: v.string() })),
  requestBody: v.optional(v.unknown()),
  responses: v.record(
    v.string(),
    v.looseObject({ headers: v.unknown(), content: v.optional(v.record(v.string(), v.unknown())) }),
  ),
})
const Document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  webhooks: v.record(v.string(), v.looseObject({ post: v.looseObject({ parameters: v.unknown() }) })),
  components: v.looseObject({ schemas: v.record(v.string(), v.unknown()) }),
})

interface Described {
  id: string
  method: string
  path: string
  key: string
  operation: v.InferOutput<typeof Operation>
}

/**
 * Two modules of TypeScript made of the OpenAPI document of the service: the types of all that a merchant's server may send and
 * gets, and the table of the operations that it may call.
 */
export async function describedApiText(value: unknown): Promise<{ types: string; operations: string }> {
  const document = v.parse(Document, value)
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const [key] = Object.keys(operation.security[0] ?? {})
      if (key === undefined || !SERVER_KEYS.includes(key) || isFile(operation)) return []
      return [{ id: operation.operationId, method: method.toUpperCase(), path, key, operation }]
    }),
  )
  const types = await typesText({ ...document, paths: pathsOf(described), webhooks: messagesOf(document) })
  const schemas = Object.keys(document.components.schemas)
  const used = schemas.filter((name) => types.includes(`\nexport type ${name} = `))
  return { types: `${GENERATED}\n${types}`, operations: operationsText(described, used) }
}

/** Whether it answers with something else than JSON, such as a file; the client reads JSON alone. */
function isFile({ responses }: v.InferOutput<typeof Operation>): boolean {
  return Object.entries(responses).some(
    ([status, { content = {} }]) => status < '300' && !Object.hasOwn(content, 'application/json'),
  )
}

/** The operations without what the methods of the client add or read by themselves: headers, and answers that are errors. */
function pathsOf(described: readonly Described[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { path, method, operation } of described) {
    const parameters = operation.parameters.filter((one) => one.in !== 'header')
    const good = Object.entries(operation.responses).filter(([status]) => status < '300')
    const responses = Object.fromEntries(good.map(([status, answer]) => [status, { ...answer, headers: {} }]))
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, parameters, responses } }
  }
  return paths
}

const messagesOf = ({ webhooks }: v.InferOutput<typeof Document>) =>
  Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => [type, { post: { ...post, parameters: [] } }]),
  )

async function typesText(document: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'described-api-'))
  try {
    await createClient({
      input: document,
      output: { path, entryFile: false },
      parser: {
        filters: { orphans: false, schemas: { include: ['ErrorCode'] } },
        hooks: { events: { 'plugin:handler:before': ({ plugin }) => adjust(plugin) } },
      },
      plugins: [{ name: '@hey-api/typescript' }],
      logs: { level: 'silent', file: false },
    })
    return await readFile(join(path, 'types.gen.ts'), 'utf8')
  } finally {
    await rm(path, { recursive: true })
  }
}

function adjust(plugin: PluginInstance): void {
  const { schemas = {} } = plugin.context.ir.components ?? {}
  const bodies = new Set<string>()
  plugin.forEach('operation', ({ operation: { body, parameters } }) => {
    bodies.add(body?.schema.$ref?.replace('#/components/schemas/', '') ?? '')
    for (const parameter of Object.values(parameters?.query ?? {})) {
      if (parameter.required !== true) parameter.schema = orUndefined(parameter.schema)
    }
  })
  for (const body of bodies) allowUndefined(schemas[body])
  for (const schema of Object.values(schemas)) sayNever(schema)
}

/** The items of a list that is always empty. */
function sayNever(schema: IR.SchemaObject): void {
  if (schema.maxItems === 0) schema.items = [{ type: 'never' }]
  for (const inner of [...(schema.items ?? []), ...Object.values(schema.properties ?? {})]) sayNever(inner)
}

/**
 * What may be left out of a request may be undefined, too, also under `exactOptionalPropertyTypes`; but not an amount, which must not be lost
 * unseen.
 */
function allowUndefined(schema: IR.SchemaObject | undefined): void {
  for (const inner of schema?.items ?? []) allowUndefined(inner)
  const properties = schema?.properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    allowUndefined(property)
    const isOptional = schema?.required?.includes(name) !== true
    if (isOptional && !NEVER_UNDEFINED.some((one) => one === name)) properties[name] = orUndefined(property)
  }
}

const orUndefined = (schema: IR.SchemaObject): IR.SchemaObject => ({
  logicalOperator: 'or',
  items: [schema, { type: 'undefined' }],
  ...(schema.description !== undefined && { description: schema.description }),
})

const GENERATED =
  '// Generated, do not edit: `npm run client:types` makes it of the description of the API; a test says when it is out of date.\n'

function operationsText(described: readonly Described[], schemas: readonly string[]): string {
  const rows = described.map(({ id, method, path, key, operation }) => {
    const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
    return `${id}: { method: '${method}', path: '${path}', key: '${key}', takesKey: ${String(takesKey)} },\n`
  })
  const types = described.map(
    ({ id }) => `${id}: { request: api.${typeName(id)}Data; answers: api.${typeName(id)}Responses }\n`,
  )
  const filters = described
    .filter(({ operation: { parameters, requestBody } }) => {
      return requestBody === undefined && parameters.some((one) => one.in === 'query')
    })
    .map(({ id }) => `export type ${typeName(id)} = NonNullable<api.${typeName(id)}Data['query']>\n`)
  return [
    GENERATED,
    "import type * as api from './described-api.ts'\n",
    `export type { ${schemas.join(', ')} } from './described-api.ts'\n`,
    filters.join(''),
    '/** What each operation takes and answers. */',
    `export interface Operations {\n${types.join('')}}\n`,
    '/** Where each operation is, the key that it asks for, and whether it takes an Idempotency-Key. */',
    `export const operations = {\n${rows.join('')}} as const\n`,
  ].join('\n')
}

const typeName = (operationId: string): string => operationId.charAt(0).toUpperCase() + operationId.slice(1)
