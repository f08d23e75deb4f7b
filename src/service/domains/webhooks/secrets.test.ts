import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { allWrappedKeys } from '../../key-tables.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import {
  callWebhook,
  createWebhookReceiver,
  makeWebhook,
  sendWebhooks,
} from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver, WebhookRequest } from '../../testing/webhook-receiver.ts'

const DAY = 86_400

let service: TestService
let receiver: WebhookReceiver
let hook: Awaited<ReturnType<typeof makeWebhook>>
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  hook = await makeWebhook(service, { url: receiver.url })
})
afterEach(async () => {
  await ask('DELETE', '')
  await receiver.close()
})

const ask = (...request: WebhookRequest) => callWebhook(service, hook._id, ...request)
const Rolled = v.object({ secret: v.string(), old_secret_ends_at: v.nullable(v.string()) })
async function roll(overlap: number) {
  const { status, body } = await ask('POST', '/secret', { overlap_seconds: overlap })
  expect(status).toBe(201)
  return v.parse(Rolled, body.resource.data)
}
/** Which of these secrets verify the message of a test event that is sent now. */
async function verifiedBy(...secrets: string[]): Promise<boolean[]> {
  await ask('POST', '/test')
  await sendWebhooks(service)
  const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} }
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(body, headers)
      return true
    } catch {
      return false
    }
  })
}
const timePasses = testStatement(
  't_secrets_end',
  "UPDATE webhook_former_secrets SET ends_at = ends_at - interval '1 day' WHERE webhook_id = $1",
)
const former = testStatement(
  't_former_secrets',
  'SELECT id FROM webhook_former_secrets WHERE webhook_id = $1',
)

describe('a secret that is rolled', () => {
  it('signs beside the new one for the overlap, and then is erased', async () => {
    const { secret, old_secret_ends_at: end } = await roll(DAY)
    expect(secret).toMatch(/^whsec_/)
    expect(Math.abs(Date.parse(end ?? '') - Date.now() - DAY * 1000)).toBeLessThan(60_000)
    expect(await verifiedBy(hook.secret, secret)).toEqual([true, true])
    expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    await service.runJob('erase ended webhook secrets')
    expect(await service.database.run(former, [hook._id])).toHaveLength(1)
    await service.database.run(timePasses, [hook._id])
    expect(await verifiedBy(hook.secret, secret)).toEqual([false, true])
    expect((await ask('GET', '')).body.resource.data).toMatchObject({ old_secret_ends_at: null })
    await service.runJob('erase ended webhook secrets')
    expect(await service.database.run(former, [hook._id])).toEqual([])
  })

  it('ends at once without an overlap, and so do those before it', async () => {
    const second = await roll(DAY)
    const third = await roll(0)
    expect(third.old_secret_ends_at).toBeNull()
    expect(await verifiedBy(hook.secret, second.secret, third.secret)).toEqual([false, false, true])
  })

  it('is shown by that answer alone', async () => {
    const { secret } = await roll(DAY)
    expect(JSON.stringify((await ask('GET', '')).body)).not.toContain('whsec_')
    expect(service.logged()).not.toContain(secret.replace('whsec_', ''))
  })

  it('is rolled once under one key', async () => {
    const key = { 'idempotency-key': 'roll-1' }
    const first = await ask('POST', '/secret', { overlap_seconds: 0 }, key)
    const again = await ask('POST', '/secret', { overlap_seconds: 0 }, key)
    expect(again.body).toEqual(first.body)
    expect(await verifiedBy(v.parse(Rolled, first.body.resource.data).secret)).toEqual([true])
  })

  it('leaves five that sign at the most, also when ten are rolled at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST', '/secret', { overlap_seconds: DAY })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 4 }, () => 201),
      ...Array.from({ length: 6 }, () => 422),
    ])
    expect(answers.find(({ status }) => status === 422)?.body.error?.message).toBe(
      '4 secrets that were replaced still sign. Wait until one has ended, or end them by an overlap_seconds of 0.',
    )
    await verifiedBy()
    expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(5)
    expect(await verifiedBy(hook.secret, (await roll(0)).secret)).toEqual([false, true])
  })

  it.each([[{}], [{ overlap_seconds: -1 }], [{ overlap_seconds: 1.5 }], [{ overlap_seconds: 31_622_401 }]])(
    'is not by %j',
    async (body) => {
      expect(await ask('POST', '/secret', body)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'overlap_seconds' }] } },
      })
    },
  )

  it('is not by another merchant', async () => {
    const { secretKey } = await service.makeMerchant()
    const byOther = { 'x-user-secret-key': secretKey }
    expect(await ask('POST', '/secret', { overlap_seconds: 0 }, byOther)).toMatchObject({ status: 404 })
    expect(await verifiedBy(hook.secret)).toEqual([true])
  })
})

describe('a secret whose master key is lost', () => {
  const lose = async () => {
    for (const { countByMasterKey, erase, of } of allWrappedKeys(service.database))
      if (of.includes('webhook secrets')) for (const id of (await countByMasterKey()).keys()) await erase(id)
  }

  it('disables its webhook, which is enabled once it has another', async () => {
    await roll(DAY)
    await lose()
    const enable = () => ask('PATCH', '', { status: 'enabled' })
    expect(await enable()).toMatchObject({
      status: 422,
      body: {
        error: { message: 'The secret of this webhook is lost. Roll it first, then enable the webhook.' },
      },
    })
    const { secret, old_secret_ends_at: end } = await roll(DAY)
    expect(end).toBeNull()
    expect(await enable()).toMatchObject({ status: 200 })
    expect(await verifiedBy(secret, hook.secret)).toEqual([true, false])
  })
})

it('a message is not sent without a signature', async () => {
  await ask('POST', '/test')
  await service.runJob('seal events')
  await service.database.script('UPDATE webhooks SET secret = NULL')
  await service.runJob('deliver webhooks')
  expect(receiver.received).toEqual([])
  expect((await ask('GET', '/deliveries')).body.resource.data).toMatchObject([
    { status: 'waiting', last_fault: "the message could not be made: the service's log says why" },
  ])
})

it('messages say who sends them', async () => {
  await verifiedBy()
  expect(receiver.received[0]?.headers['user-agent']).toMatch(/^svc-webhooks\/\S+$/)
})

describe('the data keys of secrets', () => {
  const countOf = async (of: string) => {
    const place = allWrappedKeys(service.database).find((one) => one.of === of)
    const counts = [...((await place?.countByMasterKey()) ?? new Map<string, number>()).values()]
    return counts.reduce((sum, count) => sum + count, 0)
  }

  it('are rotated also for a disabled webhook, and for a replaced secret until it ends', async () => {
    const [before, replaced] = [await countOf('webhook secrets'), await countOf('replaced webhook secrets')]
    await ask('POST', '/secret', { overlap_seconds: 86_400 })
    await ask('PATCH', '', { status: 'disabled' })
    expect(await countOf('webhook secrets')).toBe(before)
    expect(await countOf('replaced webhook secrets')).toBe(replaced + 1)
    await service.database.run(timePasses, [hook._id])
    expect(await countOf('replaced webhook secrets')).toBe(replaced)
  })

  it('are gone with their webhook', async () => {
    const before = await countOf('replaced webhook secrets')
    await ask('POST', '/secret', { overlap_seconds: 86_400 })
    await ask('DELETE', '')
    expect(await countOf('replaced webhook secrets')).toBe(before)
  })
})
