import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'

/** Sends the requests of docs/bruno in their order and checks what each asserts. `npm run bruno` does it by Bruno's own runner. */
const FOLDER = 'docs/bruno/'
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.bru'))
  .sort()

let service: TestService
let address: string
/** What a request may name in `{{…}}`; later ones use what earlier answers held. */
const variables = new Map<string, string>()
beforeAll(async () => {
  service = await createTestService()
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { merchant, publicKey, secretKey } = service.merchant
  const client = await service.oauth.clients.make(merchant.id, SCOPES)
  variables.set('service', address).set('public_key', publicKey).set('secret_key', secretKey)
  variables.set('client_id', client?.clientId ?? '').set('client_secret', client?.clientSecret ?? '')
})
afterAll(() => service.close())

/** The blocks of a file by their names, such as `body:json`, with the variables filled in. */
function blocksOf(text: string): ReadonlyMap<string, string> {
  const filled = text.replaceAll(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    const value = name === '$guid' ? randomUUID() : variables.get(name)
    if (value === undefined) throw new Error(`nothing has set {{${name}}} before it is used`)
    return value
  })
  return new Map(
    [...filled.matchAll(/^(\S+) \{\n([^]*?)\n\}$/gm)].map(([, name = '', block = '']) => [name, block]),
  )
}

/** The lines `name: value` of a block. */
function entriesOf(block = ''): [string, string][] {
  return [...block.matchAll(/^ {2}([^:\s]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value])
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

async function send(blocks: ReadonlyMap<string, string>): Promise<{ status: number; body: unknown }> {
  const method = METHODS.find((one) => blocks.has(one)) ?? 'get'
  const { url = '' } = Object.fromEntries(entriesOf(blocks.get(method)))
  const { username, password } = Object.fromEntries(entriesOf(blocks.get('auth:basic')))
  const { token } = Object.fromEntries(entriesOf(blocks.get('auth:bearer')))
  const json = blocks.get('body:json')
  const form = blocks.get('body:form-urlencoded')
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      ...Object.fromEntries(entriesOf(blocks.get('headers'))),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(username !== undefined && { authorization: `Basic ${btoa(`${username}:${password ?? ''}`)}` }),
    },
    ...(json !== undefined && { body: json }),
    ...(form !== undefined && { body: new URLSearchParams(entriesOf(form)) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** What `res.body.resource.data[0]` names in an answer; undefined where there is nothing. */
function valueAt(answer: object, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((name) => name !== '' && name !== 'res')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? Object.getOwnPropertyDescriptor(value, name)?.value
          : undefined,
      answer,
    )
}

function check(value: unknown, assertion: string): void {
  const [operator = '', ...rest] = assertion.split(' ')
  const wanted = rest.join(' ')
  switch (operator) {
    case 'eq':
      expect(String(value)).toBe(wanted)
      break
    case 'startsWith':
      expect(String(value).slice(0, wanted.length)).toBe(wanted)
      break
    case 'isString':
      expect(typeof value).toBe('string')
      break
    case 'isArray':
      expect(Array.isArray(value)).toBe(true)
      break
    default:
      throw new Error(`this test knows no assertion ${operator}`)
  }
}

describe('the Bruno collection', () => {
  it.each(files)('%s is answered as it says', async (name) => {
    const blocks = blocksOf(readFileSync(FOLDER + name, 'utf8'))
    const answer = await send(blocks)
    const assertions = entriesOf(blocks.get('assert'))
    expect(assertions.length).toBeGreaterThan(0)
    for (const [path, assertion] of assertions) check(valueAt(answer, path), assertion)
    for (const [variable, path] of entriesOf(blocks.get('vars:post-response')))
      variables.set(variable, String(valueAt(answer, path)))
  })
})
