import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { createWebhookReceiver } from '../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../testing/webhook-receiver.ts'
import { callSvc } from './svc-program.ts'

let service: TestService
let address: string
let receiver: WebhookReceiver
let stopping: AbortController
let said: string
beforeAll(async () => {
  service = await createTestService()
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  stopping = new AbortController()
  said = ''
})
afterEach(() => receiver.close())

/** A call on a machine without a database; resolves with its exit code. */
const call = (words: string[], secretKey: string | undefined = service.merchant.secretKey) =>
  callSvc(['webhooks', ...words], {
    open: () => Promise.reject(new Error('there is no database here')),
    schema: { migrations: [], onDatabase: () => Promise.reject(new Error('there is no database here')) },
    start: () => undefined,
    remote: { version: '9.9.9', readMerchantKey: () => secretKey, untilStopped: () => stopping.signal },
    say: (text) => (said += text),
    complain: (text) => (said += text),
  })
const listen = (forwardTo = receiver.url) => call(['listen', '--forward-to', forwardTo, '--service', address])
/** Seals new events until the command has written something. */
const untilSaid = (words: RegExp) =>
  expect
    .poll(
      async () => {
        await service.runJob('seal events')
        return said
      },
      { timeout: 8000 },
    )
    .toMatch(words)

describe('webhooks listen', () => {
  it('sends events from then on, signed like a webhook’s messages, and writes a line for each', async () => {
    await service.authorise()
    await service.runJob('seal events')
    const ended = listen()
    await untilSaid(/Ctrl-C ends it\.\nThey are signed with the secret whsec_\S+\n/)
    const before = said
    receiver.answerNext(503)
    const { _id } = await service.authorise()
    await untilSaid(/ {2}charge\.authorised {2}[0-9a-f]{24} {2}503\n/)
    const [message] = receiver.received
    const [, secret = ''] = /the secret (\S+)/.exec(before) ?? []
    const verified = new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})
    expect(verified).toMatchObject({ type: 'charge.authorised', data: { _id } })
    expect(message?.headers['user-agent']).toBe('svc-webhooks/9.9.9')
    const read = await service.call({
      url: `/v1/events/${message?.headers['webhook-id']}`,
      headers: { 'x-user-secret-key': service.merchant.secretKey },
    })
    expect(read.body.resource.data).toMatchObject(message?.message ?? { type: '' })
    await receiver.close()
    await service.authorise()
    await untilSaid(/ {2}charge\.authorised {2}[0-9a-f]{24} {2}no answer \(ECONNREFUSED\)\n/)
    stopping.abort()
    expect(await ended).toBe(0)
    expect(said).toMatch(/Nothing is sent any more\.\n$/)
    expect(said).not.toContain(service.merchant.secretKey)
    expect(receiver.received).toHaveLength(1)
  })

  it('has the same secret each time for the same key, and another one for another key', async () => {
    const secretOf = async (key: string) => {
      said = ''
      stopping = new AbortController()
      const ended = call(['listen', '--forward-to', receiver.url, '--service', address], key)
      await untilSaid(/whsec_/)
      stopping.abort()
      await ended
      return /whsec_\S+/.exec(said)?.[0]
    }
    const own = await secretOf(service.merchant.secretKey)
    expect(own).toBe(await secretOf(service.merchant.secretKey))
    expect(own).not.toBe(await secretOf((await service.makeMerchant()).secretKey))
  })

  it.each([
    [
      'a public key',
      () => service.merchant.publicKey,
      /^svc: http:\S+ answered 401: That is a public key; send the sk_… key/m,
    ],
    ['a wrong key', () => 'sk_wrong', /^svc: http:\S+ answered 401: /m],
    [
      'a key in typographic quotes',
      () => `“${service.merchant.secretKey}”`,
      /^svc: The secret key holds characters that no key has/m,
    ],
    [
      'no key',
      () => '',
      /^svc: Set SVC_SECRET_KEY, or SVC_SECRET_KEY_FILE, to the merchant's secret key\.$/m,
    ],
  ])('with %s says so, and ends', async (_name, keyOf, words) => {
    const key = keyOf()
    expect(await call(['listen', '--forward-to', receiver.url, '--service', address], key)).toBe(1)
    expect(said).toMatch(words)
    if (key !== '') expect(said).not.toContain(key)
  })

  it.each([
    [['--forward-to', 'localhost:3000'], '--forward-to must be a URL, like http://localhost:3000/hooks'],
    [['--forward-to', 'http://me:secret@localhost:1'], '--forward-to may hold no user name or password'],
    [
      ['--forward-to', 'http://localhost:1', '--service', 'http://localhost:8080/v1'],
      '--service must be scheme and host alone, like http://localhost:8080',
    ],
    [
      ['--forward-to', 'http://localhost:1', '--service', 'http://svc.example'],
      '--service must begin with https:// (http:// for localhost only): it is sent the secret key',
    ],
    [['--forward-to', 'http://localhost:1', '--key', 'sk_1'], "unknown option '--key'"],
    [[], "required option '--forward-to <URL>' is missing"],
  ])('with %j says what is wrong', async (words, told) => {
    expect(await call(['listen', ...words])).toBe(2)
    expect(said).toBe(`svc webhooks listen: ${told}\nsvc webhooks listen --help shows how it is called.\n`)
  })

  it('says so where no service answers', async () => {
    expect(
      await call(['listen', '--forward-to', 'http://localhost:1', '--service', 'http://127.0.0.1:9']),
    ).toBe(1)
    expect(said).toMatch(/svc: http:\/\/127\.0\.0\.1:9 does not answer \(ECONNREFUSED\)\.\n$/)
  })
})
