import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createTextVault } from '../../platform/vault/vault.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { hostileNames, startHostileServer } from '../../testing/hostile-servers.ts'
import type { HostileName, HostileServer } from '../../testing/hostile-servers.ts'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { testCard } from '../../testing/test-card.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { openOnce } from './deliver.ts'
import { takeDueDeliveries } from './delivery-store.ts'
import { placeOf } from './webhook.ts'

let service: TestService
let calls: ChargeCalls
let receiver: WebhookReceiver
let hook: { _id: string; secret: string }
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  hook = await makeWebhook(service, { url: receiver.url })
})
afterEach(async () => {
  await service.call({ method: 'DELETE', url: `/v1/webhooks/${hook._id}`, headers: calls.secret() })
  await receiver.close()
})

const timePasses = testStatement(
  't_time_passes',
  'UPDATE webhook_deliveries SET next_at = next_at - $1::interval WHERE next_at IS NOT NULL',
)
const pass = (time: string) => service.database.run(timePasses, [time])
const due = testStatement<{ event_id: string; seconds: number }>(
  't_due',
  `SELECT event_id, extract(epoch FROM next_at - now())::float8 AS seconds FROM webhook_deliveries
   WHERE webhook_id = $1`,
)
const secondsLeft = async () => (await service.database.run(due, [hook._id]))[0]?.seconds ?? NaN
const deliveries = async () => {
  const url = `/v1/webhooks/${hook._id}/deliveries`
  return (await service.call({ url, headers: calls.secret() })).body.resource.data
}

describe('a message', () => {
  it('is signed as Standard Webhooks says, and holds the charge as it was after the event', async () => {
    const held = await service.authorise()
    const captured = (await calls.capture(held._id, { amount: '4.00' })).body.resource.data
    const refunded = (await calls.refund(held._id, { amount: '1.00' })).body.resource.data
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['charge.authorised', 'charge.captured', 'charge.refunded'])
    expect(receiver.inOrder().map(({ message }) => message.data)).toEqual([held, captured, refunded])
    for (const { headers, body } of receiver.received) {
      expect(new Webhook(hook.secret).verify(body, headers)).toBeDefined()
      expect(headers['content-type']).toBe('application/json')
      expect(() => new Webhook(hook.secret).verify(`${body} `, headers)).toThrow()
    }
    const ids = receiver.inOrder().map(({ headers }) => headers['webhook-id'])
    const { transactions } = await calls.read(held._id)
    expect(ids).toEqual(transactions.map(({ _id }) => _id))
  })

  it('goes to the webhooks of its merchant that want it, and to no other', async () => {
    const picky = await createWebhookReceiver()
    await makeWebhook(service, { url: picky.url, events: ['charge.cancelled'] })
    const other = await service.makeMerchant()
    await service.authorise({}, other)
    await calls.cancel((await service.authorise())._id)
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['charge.authorised', 'charge.cancelled'])
    expect(picky.types()).toEqual(['charge.cancelled'])
    await picky.close()
  })

  it('leaves no secret and no card in a log or in a plain column', async () => {
    const { _id } = await service.authorise()
    await sendWebhooks(service)
    expect(receiver.received.map(({ message }) => message.data._id)).toEqual([_id])
    const kept = testStatement('t_kept', 'SELECT * FROM webhooks')
    const rows = JSON.stringify(await service.database.run(kept, []))
    for (const text of [rows, service.logged(), JSON.stringify(await deliveries())])
      expect(text).not.toContain(hook.secret.replace('whsec_', ''))
    expect(receiver.received[0]?.body).not.toContain(testCard.card_number)
  })
})

describe('a message that is not taken', () => {
  it.each([
    ['a 500', 500, 'the server said 500'],
    ['a redirect, which is not followed', 307, 'the server said 307'],
    ['no answer in time', 'hang', 'no answer in time'],
  ] as const)('%s: comes again, the same, 5 s later', async (_name, answer, fault) => {
    receiver.answerNext(answer)
    await service.authorise()
    await sendWebhooks(service)
    expect(await deliveries()).toMatchObject([{ status: 'waiting', attempts: 1, last_fault: fault }])
    const left = await secondsLeft()
    expect(left).toBeGreaterThan(3)
    expect(left).toBeLessThan(6.1)
    await sendWebhooks(service)
    expect(receiver.received).toHaveLength(1)
    await pass('7 seconds')
    await sendWebhooks(service)
    expect(await deliveries()).toMatchObject([
      { status: 'delivered', attempts: 2, last_fault: null, last_status: 204 },
    ])
    const [first, second] = receiver.received
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await pass('1 year')
    await sendWebhooks(service)
    expect(receiver.received).toHaveLength(2)
  })

  it('a refused connection: is given up after ten attempts in some three days', async () => {
    await receiver.close()
    await service.authorise()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await sendWebhooks(service)
      waits.push(await secondsLeft())
      await pass('30 hours')
    }
    expect(await deliveries()).toMatchObject([
      {
        status: 'failed',
        attempts: 10,
        last_fault: 'nothing listens at this address (ECONNREFUSED)',
        last_status: null,
        next_at: null,
      },
    ])
    const hours = waits.slice(0, 9).reduce((sum, seconds) => sum + seconds, 0) / 3600
    expect(hours).toBeGreaterThan(75 * 0.75)
    expect(hours).toBeLessThan(76 * 1.25)
    expect(service.logged()).not.toContain('"level":50')
  })

  it('a 410: nothing is sent there any more, not even what waited', async () => {
    receiver.answerNext(410)
    await service.authorise()
    await sendWebhooks(service)
    await service.authorise()
    await sendWebhooks(service)
    await pass('1 day')
    await sendWebhooks(service)
    expect(receiver.received).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ status: 'failed', last_status: 410 }])
    const { body } = await service.call({ url: `/v1/webhooks/${hook._id}`, headers: calls.secret() })
    expect(body.resource.data).toMatchObject({ status: 'disabled' })
  })
})

describe('several processes', () => {
  it('send each event once between them', async () => {
    const others = [
      await createTestService({ database: service.database }),
      await createTestService({ database: service.database }),
    ]
    await Promise.all(Array.from({ length: 20 }, () => service.authorise()))
    await Promise.all([service, ...others].map((one) => one.runJob('seal events')))
    await Promise.all([service, ...others].map((one) => one.runJob('deliver webhooks')))
    await Promise.all([service, ...others].map(sendWebhooks))
    expect(receiver.received).toHaveLength(20)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
  })

  it('send a message a minute later if the process that took it has died', async () => {
    await service.authorise()
    await service.runJob('seal events')
    const [waiting] = await service.database.run(due, [hook._id])
    const taken = await service.database.run(takeDueDeliveries, {
      webhook_ids: [hook._id],
      event_ids: [waiting?.event_id ?? ''],
    })
    expect(taken).toHaveLength(1)
    for (const time of ['0 seconds', '50 seconds']) {
      await pass(time)
      await sendWebhooks(service)
      expect(receiver.received).toEqual([])
    }
    await pass('11 seconds')
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['charge.authorised'])
  })
})

it('a server that hangs holds up no other', async () => {
  const slow = await createWebhookReceiver()
  slow.answerNext(...Array.from({ length: 300 }, () => 'hang' as const))
  await makeWebhook(service, { url: slow.url })
  await Promise.all(Array.from({ length: 40 }, () => service.authorise()))
  await service.runJob('seal events')
  const began = Date.now()
  await Promise.all([service.runJob('deliver webhooks'), waitFor(() => receiver.received.length >= 32)])
  expect(Date.now() - began).toBeLessThan(8000) // one after the other, those that hang would take 13 s
  while (receiver.received.length < 40) await service.runJob('deliver webhooks')
  expect(receiver.received).toHaveLength(40)
  await slow.close()
})

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('a receiver that', () => {
  let server: HostileServer
  afterEach(() => server.close())

  const attemptsAt = testStatement<{ attempts: number; is_leased: boolean; last_fault: string | null }>(
    't_attempts_at',
    `SELECT attempts, last_fault, next_at > now() + interval '30 seconds' AS is_leased
     FROM webhook_deliveries WHERE webhook_id = $1`,
  )

  /** Their status arrives and counts, whatever the rest of the answer is. */
  const TAKEN = new Set<HostileName>([
    'drips its body',
    'drips chunks',
    'sends a giant body',
    'sends endless chunks',
    'stops in mid-answer',
  ])

  it.each(hostileNames)('%s: the message has an end, and so has its connection', async (name) => {
    server = await startHostileServer(name)
    const hostile = await makeWebhook(service, { url: `${server.url}/hook` })
    await service.authorise()
    await sendWebhooks(service)
    const [delivery] = await service.database.run(attemptsAt, [hostile._id])
    expect(delivery).toMatchObject({ attempts: 1 })
    expect(delivery?.last_fault === null).toBe(TAKEN.has(name))
    expect(delivery?.is_leased).not.toBe(true)
    expect(server.connections().made).toBe(1)
    await expect.poll(() => server.connections().open).toBe(0)
    await service.call({ method: 'DELETE', url: `/v1/webhooks/${hostile._id}`, headers: calls.secret() })
  })
})

describe('on a database that is slow to find what is due', () => {
  /** Longer than a list of due messages is used. */
  const SLOW_MS = 250

  let database: Database
  let slowly: TestService
  beforeAll(async () => {
    database = await createMigratedDatabase()
    const slow: Database['run'] = async (statement, values) => {
      if (statement.name === 'find_due_deliveries') await sleep(SLOW_MS)
      return database.run(statement, values)
    }
    slowly = await createTestService({ database: { ...database, run: slow } })
  })
  afterAll(async () => {
    await slowly.close()
    await database.close()
  })

  it('messages are sent all the same', async () => {
    await makeWebhook(slowly, { url: receiver.url })
    await slowly.authorise()
    await sendWebhooks(slowly)
    expect(receiver.types()).toEqual(['charge.authorised'])
  })
})

it('opens the secrets of a webhook once for all its messages of one batch', async () => {
  const keys = localMasterKeys(`k:${randomBytes(32).toString('base64')}`)
  let opened = 0
  const unwrap: typeof keys.unwrap = (...asked) => {
    opened += 1
    return keys.unwrap(...asked)
  }
  const vault = createTextVault(() => ({ ...keys, unwrap }))
  const webhookWith = async (id: string, texts: readonly string[]) => {
    const place = placeOf({ merchantId: 'm', id })
    const secrets = await Promise.all(texts.map((text) => vault.seal(text, place)))
    return { id, merchantId: 'm', url: 'https://shop.example/', secrets }
  }
  const [one, other] = [await webhookWith('one', ['new', 'old']), await webhookWith('other', ['else'])]
  const secretsOf = openOnce(vault)
  const asked = [one, other, { ...one }, one].map((webhook) => secretsOf(webhook))
  expect(await Promise.all(asked)).toEqual([['new', 'old'], ['else'], ['new', 'old'], ['new', 'old']])
  expect(opened).toBe(3)
  await openOnce(vault)(one)
  expect(opened).toBe(5)
})
