import type { Operation } from '../../platform/http/operation.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { isJson, jsonSchemaOf } from '../openapi/json-schema.ts'

/** A request that a reader can make as it stands, with keys and ids in variables of the shell (`$SECRET_KEY`). */
export interface ExampleRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  /** Whether the client of `$CLIENT_ID` is named by HTTP Basic. */
  basic: boolean
  body: { form?: Readonly<Record<string, string>>; json?: unknown } | undefined
  /** Whether its answer is in the envelope of the service. */
  answersEnvelope: boolean
}

/** The header that carries each kind of key, with the name that README.md and docs/checkout.md give it. */
const KEY_HEADERS: Readonly<Record<Exclude<Operation['key'], 'none'>, readonly [string, string]>> = {
  public: ['x-user-public-key', '$PUBLIC_KEY'],
  secret: ['x-user-secret-key', '$SECRET_KEY'],
  oauth: ['authorization', 'Bearer $ACCESS_TOKEN'],
  authentication: ['authorization', 'Bearer $AUTHENTICATION_TOKEN'],
  checkout: ['authorization', 'Bearer $INTENT_TOKEN'],
  metrics: ['authorization', 'Bearer $SVC_METRICS_TOKEN'],
}

/** The example of an operation, at a service's address. */
export function exampleRequest({ method, path, operation }: DescribedRoute, baseUrl: string): ExampleRequest {
  const { key, params, query, body, isRepeatable, answers } = operation
  const address = path.replace(
    /\{(\w+)\}/g,
    (_text, name: string) => params?.example?.[name] ?? `$${name.toUpperCase()}`,
  )
  const search = new URLSearchParams(query?.example).toString()
  const isForm = body?.isForm === true
  return {
    method,
    url: `${baseUrl}${address}${search === '' ? '' : `?${search}`}`,
    headers: [
      ...(key === 'none' ? [] : [KEY_HEADERS[key]]),
      ...(isRepeatable === true ? [['idempotency-key', '$KEY'] as const] : []),
      ...(body === undefined || isForm ? [] : [['content-type', 'application/json'] as const]),
    ],
    basic: isForm,
    body: body === undefined ? undefined : isForm ? { form: textsOf(body.example) } : { json: body.example },
    answersEnvelope: answers[0]?.resource !== undefined,
  }
}

/** A variable of the shell in a text, such as `$ID`. */
const URL_VARIABLE = /\$([A-Z][A-Z_]*)/g

const variablesIn = (text: string): string[] => [...text.matchAll(URL_VARIABLE)].map(([, name = '']) => name)

function textsOf(example: unknown): Record<string, string> {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : []
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

/** The command that makes a request: with the keys and ids in variables it can be run as it stands. */
export function curlExample({ method, url, headers, basic, body }: ExampleRequest): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}"${url}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(basic ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...dataOf(body),
  ].join(' \\\n  ')
}

function dataOf(body: ExampleRequest['body']): string[] {
  if (body === undefined) return []
  if (body.form !== undefined) {
    return Object.entries(body.form).map(([name, value]) => `--data-urlencode "${name}=${value}"`)
  }
  return [`-d "${JSON.stringify(body.json, null, 2).replace(/["\\`]/g, '\\$&')}"`]
}

/** The same request from a server that runs Node, with nothing but what comes with it. */
export function nodeExample(request: ExampleRequest): string {
  const { method, url, headers, basic, body } = request
  const init = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...headerLines(headers, basic),
    ...(body === undefined ? [] : [`  body: ${bodyOf(body)},`]),
  ]
  return [
    `const answer = await fetch(${textOf(url)}${init.length === 0 ? ')' : ', {'}`,
    ...init,
    ...(init.length === 0 ? [] : ['})']),
    ...(request.answersEnvelope
      ? [
          'const { error, resource } = await answer.json()',
          'if (error) throw new Error(`${error.code}: ${error.message}`)',
          'console.log(resource)',
        ]
      : ['console.log(await answer.text())']),
  ].join('\n')
}

function headerLines(headers: ExampleRequest['headers'], basic: boolean): string[] {
  const lines = headers.map(([name, value]) => `    ${keyOf(name)}: ${textOf(value)},`)
  if (basic) {
    lines.push('    authorization: `Basic ${btoa(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`)}`,')
  }
  return lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']
}

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

function bodyOf({ form, json }: NonNullable<ExampleRequest['body']>): string {
  return form === undefined
    ? `JSON.stringify(${literal(json, '  ')})`
    : `new URLSearchParams(${literal(form, '  ')})`
}

/** A text as JavaScript has it, with variables of the shell as those of the process. */
function textOf(text: string): string {
  const [first] = variablesIn(text)
  if (first === undefined) return `'${text.replace(/['\\]/g, '\\$&')}'`
  if (text === `$${first}`) return `process.env.${first}`
  return `\`${text.replace(URL_VARIABLE, (_, name: string) => '${process.env.' + name + '}')}\``
}

/** A value as JavaScript has it; a line for each entry of what is longer than one. Variables of the shell are those of the process. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const short = `${open}${parts.join(', ')}${close}`
  if (short.length + indent.length <= 76 && !short.includes('\n')) return short
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close.trim()}`
}

/** Where each operation is in the client for Node, `@svc/server`; those that are no business of a merchant's server are not there. */
export const CLIENT_CALLS: Readonly<Record<string, string>> = {
  createCharge: 'charges.create',
  captureCharge: 'charges.capture',
  cancelCharge: 'charges.cancel',
  refundCharge: 'charges.refund',
  updateCharge: 'charges.update',
  getCharge: 'charges.retrieve',
  listCharges: 'charges.list',
  listDisputes: 'disputes.list',
  getDispute: 'disputes.retrieve',
  listDefences: 'disputes.defences',
  addDisputeDocument: 'disputes.addDocument',
  removeDisputeDocument: 'disputes.removeDocument',
  acceptDispute: 'disputes.accept',
  defendDispute: 'disputes.defend',
  createCheckout: 'checkouts.create',
  updateCheckout: 'checkouts.update',
  cancelCheckout: 'checkouts.cancel',
  getCheckout: 'checkouts.retrieve',
  listCheckouts: 'checkouts.list',
  listCheckoutVersions: 'checkouts.versions',
  createCheckoutTemplate: 'checkoutTemplates.create',
  replaceCheckoutTemplate: 'checkoutTemplates.replace',
  getCheckoutTemplate: 'checkoutTemplates.retrieve',
  listCheckoutTemplates: 'checkoutTemplates.list',
  createWebhook: 'webhooks.create',
  updateWebhook: 'webhooks.update',
  rollWebhookSecret: 'webhooks.rollSecret',
  deleteWebhook: 'webhooks.delete',
  getWebhook: 'webhooks.retrieve',
  listWebhooks: 'webhooks.list',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  resendWebhookDelivery: 'webhooks.resend',
  listEvents: 'events.list',
  getEvent: 'events.retrieve',
  createAgreement: 'agreements.create',
  validateAgreement: 'agreements.validate',
  amendAgreement: 'agreements.amend',
  changeAgreementStatus: 'agreements.changeStatus',
  getAgreement: 'agreements.retrieve',
  listAgreements: 'agreements.list',
  createAgreementPayment: 'agreements.pay',
  getAgreementPayment: 'agreements.retrievePayment',
  listAgreementPayments: 'agreements.payments',
}

/** The example of an operation as a call of the client; null where the client has none. */
export function clientExample({ path, operation }: DescribedRoute, baseUrl: string): string | null {
  const call = CLIENT_CALLS[operation.id]
  if (call === undefined) return null
  const given = argumentsOf(path, operation).map((one) => literal(one, ''))
  const isPage = operation.answers[0]?.isPage === true
  return [
    "import { SvcClient } from '@svc/server'",
    '',
    'const svc = new SvcClient({',
    `  baseUrl: '${baseUrl}',`,
    `  ${CREDENTIALS[operation.key === 'oauth' ? 'oauth' : 'secret']},`,
    '})',
    `const answer = await svc.${call}(${given.join(', ')})${isPage ? '.page()' : ''}`,
    'console.log(answer)',
  ].join('\n')
}

const CREDENTIALS = {
  secret: 'secretKey: process.env.SECRET_KEY',
  oauth: 'oauth: { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }',
}

/** What is in the path, then in the query or the body, then the options. */
function argumentsOf(path: string, { id, query, body, isRepeatable }: Operation): unknown[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `$${name.toUpperCase()}`)
  const options = isRepeatable === true ? [{ idempotencyKey: '$KEY' }] : []
  const filter = query?.example
  if (body === undefined) return [...inPath, ...(filter === undefined ? [] : [filter]), ...options]
  const { properties } = jsonSchemaOf({ name: id, ...body })
  const given = Object.entries(filter ?? {})
  // A value that the body takes as well goes there, with its own type: `capture` is a text in a query.
  const isOfBody = ([name]: [string, string]) => isJson(properties) && name in properties
  const more = given.filter(isOfBody).map(([name, text]): [string, unknown] => [name, JSON.parse(text)])
  const first = given.filter((one) => !isOfBody(one)).map(([, text]) => text)
  const fields = isJson(body.example) ? { ...body.example, ...Object.fromEntries(more) } : body.example
  return [...inPath, ...first, fields, ...options]
}
