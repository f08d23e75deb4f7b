import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { answersAsDescribed } from '../../testing/described-answers.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

const Document = v.looseObject({
  openapi: v.string(),
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

/** Pages and files for browsers: no part of the REST API, and none has JSON in it. */
const FOR_BROWSERS = '/sdk/'

describe('the OpenAPI document', () => {
  it('every route is described: give the ones named here an operation in their config', () => {
    const missing = service.routes
      .filter(({ path, operation }) => operation === undefined && !path.startsWith(FOR_BROWSERS))
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

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('createCharge')
  })
})
