import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Server } from 'node:http'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { at, pagesWith, snippetsIn } from '../../../../docs/testing/snippets-in.ts'
import * as client from '../../../server-client/index.ts'
import { agreementCalls } from '../../domains/agreements/testing/agreement-calls.ts'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../webhook-receiver.ts'

const run = promisify(execFile)

let service: TestService
let address: string
let keys: Record<string, string>
beforeAll(async () => {
  service = await createTestService()
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { merchant, publicKey, secretKey } = service.merchant
  const oauth = await service.oauth.clients.make(merchant.id, SCOPES)
  keys = {
    PUBLIC_KEY: publicKey,
    SECRET_KEY: secretKey,
    CLIENT_ID: oauth?.clientId ?? '',
    CLIENT_SECRET: oauth?.clientSecret ?? '',
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
afterAll(() => service.close())

/** Pages whose samples use another package, whose own tests run them. */
const OF_THE_WIDGET = ['docs/npm-readme.md']

/** What the samples of a page use besides the merchant's keys: environment variables, and variables of the reader's program. */
interface Surroundings {
  env?: Record<string, string>
  globals?: Record<string, unknown>
}

/** Prepares what the samples of a page need beyond an order and a card. */
const BEGINNINGS: Readonly<Record<string, () => Promise<Surroundings>>> = {
  'docs/guides/3-d-secure.md': () => Promise.resolve({ env: { PORT: '0' } }),
  'docs/server-client.md': async () => {
    const agreements = await agreementCalls(service)
    return { env: { ID: (await agreements.createActive())._id } }
  },
  'docs/webhooks.md': async () => {
    const receiver = await createWebhookReceiver()
    const { secret } = await makeWebhook(service, { url: receiver.url })
    await service.authorise()
    await sendWebhooks(service)
    await receiver.close()
    const [message] = receiver.received
    return { env: { WEBHOOK_SECRET: secret }, globals: { rawBody: message?.body, request: message } }
  },
  'docs/server-readme.md': async () => ({ globals: { payment_source: await service.tokenise() } }),
}

/**
 * Runs the samples of a page together as one program, as a reader would. `ending` may export what they declare. The only import
 * that is not Node's is the client, which is the one built from this repository.
 */
async function runInNode(page: string, { ending = '', card = {} } = {}): Promise<unknown> {
  const { env = {}, globals = {} } = (await BEGINNINGS[page]?.()) ?? {}
  for (const [name, value] of Object.entries({ ...keys, ...env })) vi.stubEnv(name, value)
  const order = { id: `order-${crypto.randomUUID()}` }
  const form = { payment_source: await service.tokenise(card) }
  for (const [name, value] of Object.entries({ order, form, client, ...globals })) vi.stubGlobal(name, value)
  const code = snippetsIn(page, 'js')
    .join('\n')
    .replace(/^import (\{.*\}) from '@svc\/server'$/gm, 'const $1 = client')
    .replaceAll('https://cards.example', address)
  const module = `data:text/javascript,${encodeURIComponent(`${at(address, code)}\n${ending}\n// ${page} ${order.id}`)}`
  return import(/* @vite-ignore */ module)
}

describe('the samples for Node', () => {
  it.each(pagesWith('js').filter((page) => !OF_THE_WIDGET.includes(page)))('of %s run', async (page) => {
    const said = vi.spyOn(console, 'log').mockReturnValue()
    await runInNode(page)
    for (const call of said.mock.calls) expect(call).not.toContain(undefined)
  })

  it('of the guide to idempotency charge once', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue()
    await runInNode('docs/guides/idempotency.md')
    expect(said.mock.calls).toEqual([[true]])
  })

  it('of the guide to errors say what to do about a declined card', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue()
    await runInNode('docs/guides/errors-and-retries.md', { card: { expire_month: '05' } })
    expect(said.mock.calls).toEqual([['Ask for another card.', 'transaction_declined']])
  })

  it('of the client’s page receive what the service sends, and nothing else', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue()
    const { hooks } = v.parse(
      v.object({ hooks: v.custom<Server>((value) => typeof value === 'object') }),
      await runInNode('docs/server-client.md', { ending: 'export { hooks }' }),
    )
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
    const { port } = v.parse(v.object({ port: v.number() }), hooks.address())
    const url = `http://127.0.0.1:${String(port)}/`
    const { secret } = await makeWebhook(service, { url })
    vi.stubEnv('WEBHOOK_SECRET', secret)
    const { _id: id } = await service.authorise()
    await service.call({
      method: 'POST',
      url: `/v1/charges/${id}/capture`,
      headers: { 'x-user-secret-key': service.merchant.secretKey },
    })
    said.mockClear()
    await sendWebhooks(service)
    await vi.waitFor(() => expect(said).toHaveBeenCalledWith(id))
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
    hooks.closeAllConnections()
    hooks.close()
  })
})

describe('the samples for a shell', () => {
  it.each(pagesWith('sh').filter((page) => page.startsWith('docs/guides/')))('of %s run', async (page) => {
    const variables = {
      ...keys,
      TOKEN: await service.tokenise(),
      ID: (await service.authorise())._id,
      PATH: process.env['PATH'],
    }
    for (const snippet of snippetsIn(page, 'sh').filter((one) => one.includes('curl'))) {
      const command = at(address, snippet).replace(/^curl/gm, 'curl -s --fail-with-body')
      const env = { ...variables, KEY: crypto.randomUUID() }
      const { stdout } = await run('sh', ['-ec', command], { env })
      expect(stdout, snippet).toMatch(/"error":null|"access_token":/)
    }
  })
})
