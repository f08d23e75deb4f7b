import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../testing/webhook-receiver.ts'
import { operate as run } from '../testing/operate.ts'
import { writeTestEvent } from '../testing/write-test-event.ts'
import { testStatement } from '../testing/test-statement.ts'

let service: TestService
let merchantId: string
beforeAll(async () => {
  service = await createTestService()
  merchantId = service.merchant.merchant.id
})
afterAll(() => service.close())

const timePasses = testStatement(
  't_time_passes',
  "UPDATE webhook_deliveries SET next_at = next_at - interval '30 hours'",
)
const acts = testStatement<{ type: string; actor: string }>(
  't_acts',
  'SELECT type, actor FROM events WHERE subject = $1 ORDER BY seq',
)
const tamper = testStatement('t_tamper', "UPDATE events SET actor = 'nobody' WHERE seq = 3")

const operate = (command: string, ...parameters: string[]) => run(service, command, parameters)

it('an operator sees and resends messages that did not arrive; the audit log says so', async () => {
  const receiver = await createWebhookReceiver()
  await makeWebhook(service, { url: receiver.url })
  receiver.answerNext(...Array.from({ length: 10 }, () => 500))
  const { _id } = await service.authorise()
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await sendWebhooks(service)
    await service.database.run(timePasses, [])
  }
  const { said } = await operate('webhooks undelivered', merchantId)
  expect(said.split('\n')).toHaveLength(1)
  expect(said).toMatch(/charge\.authorised .*10 attempts {2}the server said 500 {2}given up/)
  expect(said).toContain(_id)
  expect((await operate('webhooks replay', merchantId)).said).toMatch(/^1 deliveries/)
  await sendWebhooks(service)
  expect(receiver.received).toHaveLength(11)
  expect((await operate('webhooks replay', merchantId)).said).toMatch(/^0 /)
  const eventId = receiver.received[0]?.headers['webhook-id'] ?? ''
  expect((await operate('webhooks replay', merchantId, '--event', eventId)).said).toMatch(/^1 /)
  expect((await operate('webhooks replay', merchantId, '--since', '2026-01-01T00:00:00Z')).said).toMatch(
    /^1 /,
  )
  expect((await operate('webhooks replay', merchantId, '--since', '2999-01-01T00:00:00Z')).said).toMatch(
    /^0 /,
  )
  for (const since of ['yesterday', '5', '2026-01-01T00:00:00', '2026-02-31']) {
    const { code, complained } = await operate('webhooks replay', merchantId, '--since', since)
    expect(code).toBe(2)
    expect(complained).toContain('It must be a time such as 2026-11-21T10:00:00Z.')
  }
  expect(await operate('webhooks replay', merchantId, '--event', 'nonsense')).toEqual({
    code: 1,
    said: '',
    complained: 'svc: No webhook of this merchant that is enabled is told of an event nonsense.',
  })
  await sendWebhooks(service)
  expect(receiver.received).toHaveLength(12)
  await service.runJob('seal events')
  const kept = await service.database.run(acts, [merchantId])
  expect(kept.filter(({ type }) => type === 'webhook.replayed')).toHaveLength(6)
  expect(kept.every(({ actor }) => /^operator|^service$/.test(actor))).toBe(true)
  await receiver.close()
})

it('an operator sees events of agreements and payments too, and can send them again', async () => {
  const receiver = await createWebhookReceiver()
  await makeWebhook(service, { url: receiver.url, events: ['agreement.suspended', 'payment.failed'] })
  const [event, other] = ['e1'.repeat(12), 'e2'.repeat(12)]
  const [agreement, payment] = ['a1'.repeat(12), 'b1'.repeat(12)]
  await writeTestEvent(service, { id: event, type: 'agreement.suspended', subject: agreement })
  await writeTestEvent(service, { id: other, type: 'payment.failed', subject: payment })
  await sendWebhooks(service)
  const { said } = await operate('webhooks undelivered', merchantId)
  expect(said).toContain(`${event}  agreement.suspended  ${agreement}  ${receiver.url}  1 attempts`)
  expect(said).toContain(`${other}  payment.failed  ${payment}  ${receiver.url}  1 attempts`)
  const fields = ['event_id', 'event_type', 'subject', 'url', 'attempts', 'last_fault', 'next_at']
  const document = await operate('webhooks undelivered', merchantId, '--json')
  expect(fieldsOf(document.said)).toEqual(['deliveries', fields])
  expect((await operate('webhooks replay', merchantId, '--event', event)).said).toMatch(/^2 /)
  await receiver.close()
})

it('what an operator does to a merchant is in the audit log', async () => {
  const { merchant } = await service.makeMerchant()
  await operate('merchants change', merchant.id, '--no-pre-auth')
  await service.runJob('seal events')
  const types = (await service.database.run(acts, [merchant.id])).map(({ type }) => type)
  expect(types.sort()).toEqual(['key.made', 'key.made', 'merchant.added', 'pre_auth.changed'])
})

it('a command for a merchant that does not exist says so', async () => {
  const nobody = { code: 1, said: '', complained: 'svc: There is no merchant 65b000000000000000000000.' }
  const missing = '65b000000000000000000000'
  expect(await operate('webhooks undelivered', missing)).toEqual(nobody)
  expect(await operate('webhooks replay', missing)).toEqual(nobody)
  expect(await operate('merchants change', missing, '--pre-auth')).toEqual(nobody)
})

it('svc audit verify checks the chain against a noted end, and says where it ends or breaks', async () => {
  const whole = await operate('audit verify')
  expect(whole.code).toBe(0)
  expect(whole.said).toMatch(/^The audit log is intact: \d+ events/)
  const noted = whole.said.split('\n')[1] ?? ''
  expect((await operate('audit verify', '--noted', noted)).code).toBe(0)
  expect((await operate('audit verify', '--noted', `1:${'0'.repeat(64)}`)).code).toBe(1)
  expect((await operate('audit verify', '--noted', 'x')).code).toBe(2)
  await service.database.run(tamper, [])
  expect(await operate('audit verify')).toEqual({
    code: 1,
    said: '',
    complained: 'svc: The audit log is broken at event 3: the event is not as it was sealed.',
  })
})

it('svc figures recount has charges counted again for the dashboard, from the audit log', async () => {
  await service.authorise()
  await service.runJob('seal events')
  await service.runJob('count charges')
  const sum = testStatement<{ sum: number }>(
    't_tallied',
    'SELECT coalesce(sum(authorised_count), 0)::int AS sum FROM charge_tallies WHERE span_minutes = 60 AND is_all_schemes',
  )
  const [before] = await service.database.run(sum, [])
  expect(before?.sum).toBeGreaterThan(0)
  expect((await operate('figures recount')).code).toBe(0)
  expect(await service.database.run(sum, [])).toEqual([{ sum: 0 }])
  await service.runJob('count charges')
  expect(await service.database.run(sum, [])).toEqual([before])
})

/** Names of the fields of a list, and of its first entry. */
function fieldsOf(said: string): [string, string[]] {
  const [[name, list] = ['', []]] = Object.entries(
    v.parse(v.record(v.string(), v.array(v.record(v.string(), v.unknown()))), JSON.parse(said)),
  )
  return [name, Object.keys(list[0] ?? {})]
}

describe('the documents of --json', () => {
  it.each([
    ['merchants list', 'merchants', 'merchant_id name pre_auth allowed_origins created_at'],
    ['gateways list ID', 'gateways', 'gateway_id type name is_default authentication'],
    ['keys list ID', 'keys', 'key_id kind created_at last_used_at ends_at'],
    ['clients list ID', 'clients', 'client_id issuer scopes created_at revoked_at'],
    ['users list', 'users', 'email name merchant_id role has_second_factor seen_at'],
  ])('of svc %s has %s with the fields %s', async (command, name, fields) => {
    await service.database.script(`
      INSERT INTO users (id, email, name, password_hash, time_zone) VALUES ('u1', 'ada@acme.example', 'Ada', '', 'UTC')
        ON CONFLICT DO NOTHING;
      INSERT INTO memberships (merchant_id, user_id, role) VALUES ('${merchantId}', 'u1', 'owner') ON CONFLICT DO NOTHING`)
    await operate('clients add', merchantId)
    const { said } = await operate(command.replace('ID', merchantId), '--json')
    expect(fieldsOf(said)).toEqual([name, fields.split(' ')])
  })
})
