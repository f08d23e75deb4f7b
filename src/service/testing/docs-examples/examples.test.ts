import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { operations } from '../../../server-client/operations.ts'
import * as client from '../../../server-client/index.ts'
import {
  CLIENT_CALLS,
  clientExample,
  curlExample,
  exampleRequest,
  nodeExample,
} from '../../api/docs/request-examples.ts'
import { isDescribed } from '../../api/openapi/document.ts'
import type { DescribedRoute } from '../../api/openapi/document.ts'
import { RECORDED } from '../../api/openapi/answers.ts'
import type { Recorded } from '../../api/openapi/answers.ts'
import { cardTraceIn, secretTraceIn } from '../traces.ts'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { exampleStates } from './example-states.ts'
import { normalised, shapeOf } from './normalised.ts'

const run = promisify(execFile)
const RECORDS = 'src/service/api/openapi/recorded-answers.json'
/** Under `npm run docs:examples` the answers are recorded instead of compared. */
const isRecording = process.env['RECORD_EXAMPLES'] !== undefined

/** The description of the API alone has over 1 MB. */
const LONGEST_ANSWER_BYTES = 8_000_000

let service: TestService
let address: string
let states: Awaited<ReturnType<typeof exampleStates>>
let keys: Record<string, string>
const answers: Record<string, Recorded> = {}

beforeAll(async () => {
  service = await createTestService()
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
  states = await exampleStates(service)
  const { merchant, publicKey, secretKey } = service.merchant
  const client = await service.oauth.clients.make(merchant.id, SCOPES)
  keys = {
    PUBLIC_KEY: publicKey,
    SECRET_KEY: secretKey,
    ACCESS_TOKEN: await service.accessToken(),
    CLIENT_ID: client?.clientId ?? '',
    CLIENT_SECRET: client?.clientSecret ?? '',
    SVC_METRICS_TOKEN: 'none is set',
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
afterAll(async () => {
  if (isRecording) writeFileSync(RECORDS, `${JSON.stringify(answers, null, 2)}\n`)
  await service.close()
})

/** A new service for one example. */
const variablesOf = async ({ operation }: DescribedRoute) => ({
  ...keys,
  KEY: crypto.randomUUID(),
  ...(await states[operation.id]?.()),
})

const Answered = v.looseObject({ status: v.number(), error: v.nullable(v.unknown()) })

describe('the examples of the documentation', () => {
  it('run as commands, and are answered as the documentation shows', { timeout: 180_000 }, async () => {
    for (const route of service.routes.filter(isDescribed)) {
      const { id, answers: expected } = route.operation
      const command = curlExample(exampleRequest(route, address))
      const env = { ...(await variablesOf(route)), PATH: process.env['PATH'] }
      const { stdout } = await run('sh', ['-c', command.replace(/^curl/, 'curl -s --fail-with-body')], {
        env,
        maxBuffer: LONGEST_ANSWER_BYTES,
      })
      expect(stdout, id).not.toBe('')
      if (expected[0]?.resource === undefined) continue
      const body = normalised(JSON.parse(stdout))
      const { status } = v.parse(Answered, body)
      answers[id] = { status, body }
      if (!isRecording) expect({ status, body: shapeOf(body) }, id).toEqual(recordedShape(id))
    }
  })

  it('run in Node', { timeout: 180_000 }, async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    vi.stubGlobal('client', client)
    for (const route of service.routes.filter(isDescribed)) {
      const variables = await variablesOf(route)
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
      log.mockClear()
      const code = (clientExample(route, address) ?? nodeExample(exampleRequest(route, address))).replace(
        "import { SvcClient } from '@svc/server'",
        'const { SvcClient } = client',
      )
      // Each example is a module, so that its names do not clash with those of others.
      await import(
        /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${code}\n// ${route.operation.id}`)}`
      )
      expect(log, route.operation.id).toHaveBeenCalledOnce()
    }
    log.mockRestore()
  })

  it('are calls of the client wherever it has one', () => {
    expect(Object.keys(CLIENT_CALLS).sort()).toEqual(Object.keys(operations).sort())
  })

  it('show no secret that any service would take, and no card', () => {
    const shown = JSON.stringify(RECORDED)
    expect([secretTraceIn(shown), cardTraceIn(shown)]).toEqual([null, null])
    for (const { path, method, operation } of service.routes.filter(isDescribed)) {
      const text = JSON.stringify(operation)
      expect([method, path, secretTraceIn(text)]).toEqual([method, path, null])
    }
  })

  it('are recorded for every operation that answers in the envelope', () => {
    const described = service.routes
      .filter(isDescribed)
      .filter(({ operation }) => operation.answers[0]?.resource)
    if (!isRecording) expect(Object.keys(RECORDED)).toEqual(described.map(({ operation }) => operation.id))
  })
})

function recordedShape(id: string) {
  const recorded = RECORDED[id]
  return { status: recorded?.status, body: shapeOf(recorded?.body) }
}
