import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import { answersAsDescribed } from '../../testing/described-answers.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { isJson } from './json-schema.ts'
import type { Json } from './json-schema.ts'

const Document = v.looseObject({
  openapi: v.string(),
  webhooks: v.record(v.string(), v.unknown()),
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
})

let service: TestService
let document: v.InferOutput<typeof Document>
beforeAll(async () => {
  service = await createTestService()
  document = v.parse(Document, (await service.raw({ url: '/openapi.json' })).json())
})
afterAll(() => service.close())

const refusalWith = (code: string) => ({
  status: 400,
  error: { code, message: 'words' },
  resource: { type: 'charge', data: null },
})

const Parameter = v.looseObject({ name: v.string(), schema: v.optional(v.looseObject({})) })

/** Where an object of the document names a property, or an operation a parameter, without a description. */
function undescribedIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) => undescribedIn(one, `${at}/${String(index)}`))
  if (!isJson(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (EXAMPLES.includes(key)) return []
    const isEnvelope = /\/responses\/.*\/schema/.test(at)
    const missing = key === 'properties' && isJson(inner) && !isEnvelope ? withoutWords(inner, at) : []
    const nameless =
      key === 'parameters' && Array.isArray(inner)
        ? withoutWords(Object.fromEntries(inner.entries()), at)
        : []
    return [...missing, ...nameless, ...undescribedIn(inner, `${at}/${key}`)]
  })
}

/** Samples of what crosses the wall, which describe nothing. */
const EXAMPLES = ['example', 'examples', 'default', 'enum', 'const']

function withoutWords(entries: Json, at: string): string[] {
  return Object.entries(entries)
    .filter(([, one]) => !isJson(one) || typeof one['description'] !== 'string')
    .map(([name, one]) => `${at}/${isJson(one) && typeof one['name'] === 'string' ? one['name'] : name}`)
}

/** Pages and files for browsers, and what gateways alone call: no part of the REST API. */
const OF_OTHERS = /^\/(?:sdk\/|docs\/|gateways\/|$)/

describe('the OpenAPI document', () => {
  it('every route is described: give the ones named here an operation in their config', () => {
    const missing = service.routes
      .filter(({ path, operation }) => operation === undefined && !OF_OTHERS.test(path))
      .map(({ method, path }) => `${method} ${path}`)
    expect(missing).toEqual([])
  })

  it('is OpenAPI 3.1 by the official schema', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  it('names If-Match and ETag where an agreement is changed', () => {
    const Tagged = v.object({
      parameters: v.array(v.looseObject({ name: v.string() })),
      responses: v.object({ 200: v.object({ headers: v.looseObject({}) }) }),
    })
    for (const path of ['/agreements/{id}', '/agreements/{id}/status']) {
      const { parameters, responses } = v.parse(Tagged, document.paths[path]?.['patch'])
      expect(parameters.map(({ name }) => name)).toContain('If-Match')
      expect(Object.keys(responses[200].headers)).toContain('ETag')
    }
  })

  it.each([
    ['another shape', 200, {}],
    ['a status that is not described', 418, { status: 418, error: null, resource: {} }],
    [
      'a field too many',
      200,
      { status: 200, error: null, resource: { type: 'charge', data: null }, more: 1 },
    ],
    ['a code of another operation', 400, refusalWith('token_not_found')],
  ])('tells an answer that is not as described: %s', async (_name, status, body) => {
    const check = answersAsDescribed(service.app)
    const request = { url: `/v1/charges/${'a'.repeat(24)}` }
    await expect(check(request, status, JSON.stringify(body))).rejects.toThrow(/described/)
    await check(request, 400, JSON.stringify(refusalWith('validation_error')))
  })

  it('says of every property and parameter what it means (add those named here to `words`)', () => {
    expect(undescribedIn(document)).toEqual([])
  })

  it('says by its type that a text may be null, so that generated clients have a text, too', () => {
    const text = JSON.stringify(document)
    expect(text).toContain('"type":["string","null"]')
    expect(text).not.toMatch(/"anyOf":\[\{"type":"(?:string|integer|number)"[^{}]*\},\{"type":"null"\}\]/)
  })

  it('names the bodies of requests, each schema once, as generated clients call them', () => {
    const refs = [...JSON.stringify(document.paths).matchAll(/"requestBody":.*?"schema":(\{.*?\})/g)].map(
      ([, schema]) => schema,
    )
    expect(refs).toContain('{"$ref":"#/components/schemas/CreateCharge"}')
    expect(refs.filter((one) => one?.startsWith('{"$ref":"#/components/schemas/') !== true)).toEqual([])
  })

  it('takes numbers for the sizes of pages', () => {
    const limits = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters }) => v.parse(v.optional(v.array(Parameter), []), parameters))
      .filter(({ name }) => name === 'limit')
    expect(limits.length).toBeGreaterThan(3)
    for (const { schema } of limits)
      expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 })
  })

  it('shows the message of every event as a webhook', () => {
    const types = [...WebhookEventType.options, TEST_EVENT]
    expect(Object.keys(document.webhooks)).toEqual(types)
  })

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('createCharge')
  })
})
