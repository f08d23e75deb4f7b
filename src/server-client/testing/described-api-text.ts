import { commentOf, isJson, listOf, membersText, typeText, within } from './type-text.ts'
import type { Json } from './type-text.ts'

/** The keys of a merchant's server. What a page, a payer or a monitor calls is not for the client. */
const SERVER_KEYS = ['secret', 'oauth']

interface Described {
  id: string
  method: string
  path: string
  key: string
  operation: Json
}

/**
 * The types of requests and answers, and the table of operations, as a module of TypeScript: everything that a merchant's server
 * may call, by the OpenAPI document of the service.
 */
export function describedApiText(document: unknown): string {
  const operations = operationsOf(document)
  const inputs = new Inputs()
  const entries = operations.map((described) => interfaceEntry(described, inputs))
  const table = operations.map(tableEntry)
  const used = `${inputs.text}${entries.join('')}${webhookEventText(document)}`
  return [
    '// Generated, do not edit: `npm run client:types` makes it of the description of the API; a test says when it is out of date.\n',
    errorCodesText(document),
    resourcesText(document, used),
    inputs.text,
    '/** What each operation takes and answers. */',
    `export interface Operations {\n${entries.join('')}}\n`,
    webhookEventText(document),
    '/** Where each operation is, the key that it asks for, and whether it takes an Idempotency-Key. */',
    `export const operations = {\n${table.join('')}} as const\n`,
  ].join('\n')
}

function operationsOf(document: unknown): Described[] {
  const paths = within(document, 'paths')
  return Object.entries(isJson(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.entries(isJson(methods) ? methods : {}).flatMap(([method, operation]) => {
      const [key] = Object.keys(listOf(within(operation, 'security'))[0] ?? {})
      const id = within(operation, 'operationId')
      if (!isJson(operation) || key === undefined || typeof id !== 'string') return []
      return SERVER_KEYS.includes(key) ? [{ id, method: method.toUpperCase(), path, key, operation }] : []
    }),
  )
}

const parametersOf = ({ operation }: Described) => listOf(operation['parameters']).filter(isJson)

function tableEntry(described: Described): string {
  const { id, method, path, key } = described
  const takesKey = parametersOf(described).some(({ name }) => name === 'Idempotency-Key')
  return `${id}: { method: '${method}', path: '${path}', key: '${key}', takesKey: ${String(takesKey)} },\n`
}

function interfaceEntry(described: Described, inputs: Inputs): string {
  const { operation, id } = described
  const body = within(operation, 'requestBody')
  const bodySchema = within(body, 'content', 'application/json', 'schema')
  const query = parameterObject(described, 'query')
  const params = parameterObject(described, 'path')
  const members = [
    params !== null && `params: ${typeText(params, 'request')}\n`,
    query !== null && bodySchema === undefined && `query: ${inputs.nameOf(id, query)}\n`,
    query !== null && bodySchema !== undefined && `query: ${typeText(query, 'request')}\n`,
    bodySchema !== undefined && `body: ${inputs.nameOf(id, bodySchema)}\n`,
    answerText(operation),
  ]
  return `${commentOf(operation['summary'])}${id}: {\n${members.filter((one) => one !== false).join('')}}\n`
}

/** `answer`, or of a list the `item`s of its pages. */
function answerText(operation: Json): string {
  const responses = within(operation, 'responses')
  const good = Object.entries(isJson(responses) ? responses : {}).find(([status]) => status < '300')?.[1]
  const data = within(good, 'content', 'application/json', 'schema', 'properties', 'resource')
  const schema = within(data, 'properties', 'data')
  const items = within(schema, 'items')
  return items === undefined
    ? `answer: ${typeText(schema, 'answer')}\n`
    : `item: ${typeText(items, 'answer')}\n`
}

function parameterObject(described: Described, where: 'path' | 'query'): Json | null {
  const own = parametersOf(described).filter((parameter) => parameter['in'] === where)
  if (own.length === 0) return null
  const named = own.map((parameter): [string, unknown] => [
    String(parameter['name']),
    { ...(isJson(parameter['schema']) ? parameter['schema'] : {}), description: parameter['description'] },
  ])
  const required = own.filter((parameter) => parameter['required'] === true).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(named), required }
}

/** Types of what is sent, each named after the first operation that takes it. */
class Inputs {
  readonly #names = new Map<string, string>()
  text = ''

  nameOf(id: string, schema: unknown): string {
    const known = this.#names.get(JSON.stringify(schema))
    if (known !== undefined) return known
    const name = id.charAt(0).toUpperCase() + id.slice(1)
    this.#names.set(JSON.stringify(schema), name)
    this.text += declarationText(name, schema, 'request')
    return name
  }
}

function declarationText(name: string, schema: unknown, side: 'request' | 'answer'): string {
  const comment = commentOf(within(schema, 'description'))
  return isJson(schema) && isJson(schema['properties'])
    ? `${comment}export interface ${name} {\n${membersText(schema, side)}}\n\n`
    : `${comment}export type ${name} = ${typeText(schema, side)}\n\n`
}

function errorCodesText(document: unknown): string {
  const code = within(document, 'components', 'schemas', 'Error', 'properties', 'code')
  const words = 'Why the service refused. A later version may have others.'
  return `${commentOf(words)}export type ErrorCode = ${typeText(code, 'answer')}\n`
}

/** The resources and other named schemas that are used, also by one another, in the order of the document. */
function resourcesText(document: unknown, users: string): string {
  const schemas = within(document, 'components', 'schemas')
  const all = Object.entries(isJson(schemas) ? schemas : {}).map(([name, schema]) => ({
    name,
    text: declarationText(name, schema, 'answer'),
  }))
  const textOf = (used: typeof all) => used.map(({ text }) => text).join('')
  const usedIn = (text: string) => {
    const code = text.replace(/\/\*\*.*?\*\//gs, '')
    return all.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(code))
  }
  let used = usedIn(users)
  for (;;) {
    const more = usedIn(users + textOf(used))
    if (more.length === used.length) return textOf(used)
    used = more
  }
}

/** What comes to a webhook: one member of the union for each kind of data. */
function webhookEventText(document: unknown): string {
  const webhooks = within(document, 'webhooks')
  const typesByData = new Map<string, string[]>()
  for (const [type, message] of Object.entries(isJson(webhooks) ? webhooks : {})) {
    const schema = within(message, 'post', 'requestBody', 'content', 'application/json', 'schema')
    const data = typeText(within(schema, 'properties', 'data'), 'answer')
    typesByData.set(data, [...(typesByData.get(data) ?? []), JSON.stringify(type)])
  }
  const members = [...typesByData].map(
    ([data, types]) => `| { type: ${types.join(' | ')}; timestamp: string; data: ${data} }\n`,
  )
  const words =
    'An event as a webhook receives it: `data` is the resource as it was right after it. A later version of the service may send other types: leave what you do not know.'
  return `${commentOf(words)}export type WebhookEvent =\n${members.join('')}`
}
