import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overview } from '../../../contract/dashboard/overview.ts'
import { ChargePage } from '../../../contract/dashboard/payments/charge-list.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { ownPage } from '../dashboard/testing/signed-in.ts'
import { ASKS_CODE, BROWSER } from '../gateways/sandbox-bank/testing/card-holder.ts'
import { notificationToSee } from '../notifications/testing/notification-to-see.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'

let dashboard: TestDashboard
let service: TestService
beforeAll(async () => {
  dashboard = await createTestDashboard()
  service = dashboard.service
})
afterAll(() => dashboard.close())

const run = (name: string, sql: string, ...values: unknown[]) =>
  service.database.run(testStatement(name, sql), values)
const sale = async (amount: string) =>
  chargeCalls(service).sell({ amount, currency: 'AUD', token: await service.tokenise() }, '')
const needs = async () =>
  (await dashboard.read(Overview, '/api/overview?from=2026-03-10&to=2026-03-10')).data.needs_attention

describe('what needs attention', () => {
  it('is an outcome that has been unknown for a while, until it is known', async () => {
    await sale('9000.68')
    expect(await needs()).toEqual([])
    await run('t_old', "UPDATE attempts SET created_at = now() - interval '9 s' WHERE outcome = 'open'")
    expect(await needs()).toMatchObject([
      {
        kind: 'outcome_unknown',
        count: 1,
        is_more: false,
        items: [{ words: 'sale', cents: 900_068, currency: 'AUD' }],
        target: { page: 'charges', query: { status: 'outcome_unknown' } },
      },
    ])
    await service.runJob('resolve attempts')
    expect(await needs()).toEqual([])
  })

  it('is listed by the filter of its figure, also where a card holder has not finished in time', async () => {
    await sale('9000.68')
    const sell = async () => {
      const token = await service.tokenise({ card_number: ASKS_CODE, browser: BROWSER })
      await chargeCalls(service).sell({ amount: '12.00', currency: 'AUD', token }, '')
    }
    await sell()
    const old = "created_at = now() - interval '16 min', ask_after = now() + interval '1 h'"
    const expiresAt = `authentication || jsonb_build_object('expiresAt', now() - interval '1 min')`
    await run('t_over', `UPDATE attempts SET ${old}, authentication = ${expiresAt} WHERE outcome = 'open'`)
    await sell()
    const [need] = await needs()
    const query = new URLSearchParams(need?.target.query ?? {}).toString()
    const { data } = await dashboard.read(ChargePage, `/api/charges?${query}`)
    expect([need?.count, data.map(({ status }) => status).toSorted()]).toEqual([
      2,
      ['pre_authentication_pending', 'processing'],
    ])
    await run(
      't_ended',
      "UPDATE attempts SET outcome = 'not_received', settled_at = now() WHERE outcome = 'open'",
    )
    await run(
      't_closed',
      "UPDATE charges SET status = 'failed' WHERE status LIKE 'p%ing' AND status <> 'pending'",
    )
    expect(await needs()).toEqual([])
  })

  it('is a capture whose outcome is unknown', async () => {
    const { _id: id } = await service.authorise({ amount: '9100.00' })
    await chargeCalls(service).capture(id, { amount: '9000.68' })
    await run('t_old', "UPDATE attempts SET created_at = now() - interval '9 s' WHERE outcome = 'open'")
    expect(await needs()).toMatchObject([
      {
        kind: 'follow_up_unknown',
        count: 1,
        items: [{ id, words: 'capture' }],
        target: { page: 'charges', query: null },
      },
    ])
    await service.runJob('resolve attempts')
    expect(await needs()).toEqual([])
  })

  it('is a hold that ends within a day, of which five are shown', async () => {
    const inHours = async (hours: number) => {
      const { _id: id } = await service.authorise({ reference: `hold-${String(hours)}` })
      const set = "UPDATE charges SET hold_expires_at = now() + $2 * interval '1 h' WHERE id = $1"
      await run('t_hold', set, id, hours)
    }
    for (const hours of [25, 23, 7, 6, -1, 5, 4, 2]) await inHours(hours)
    const found = await needs()
    expect(found).toMatchObject([{ kind: 'hold_ends', count: 6, target: { query: { status: 'pending' } } }])
    const first = [2, 4, 5, 6, 7].map((hours) => `hold-${String(hours)}`)
    expect(found[0]?.items.map(({ words }) => words)).toEqual(first)
    await run('t_no_holds', "UPDATE charges SET status = 'complete' WHERE status = 'pending'")
  })

  it('is an ended hold that could not be released, until it is', async () => {
    const { _id: id } = await service.authorise({ reference: 'unreleased' })
    await run('t_over', "UPDATE charges SET hold_expires_at = now() - interval '1 h' WHERE id = $1", id)
    const tried = (times: number) =>
      run('t_tried', 'UPDATE charges SET release_attempts = $2 WHERE id = $1', id, times)
    await tried(1)
    expect(await needs()).toEqual([])
    await tried(2)
    expect(await needs()).toMatchObject([
      {
        kind: 'hold_not_released',
        count: 1,
        items: [{ id, words: 'unreleased' }],
        target: { page: 'charges' },
      },
    ])
    await run('t_later', "UPDATE charges SET updated_at = now() - interval '3 min' WHERE id = $1", id)
    await service.runJob('release ended holds')
    expect(await needs()).toEqual([])
  })

  it('is a webhook that does not take its messages, until it does', async () => {
    const receiver = await createWebhookReceiver()
    const { _id: id } = await makeWebhook(service, { url: receiver.url })
    receiver.answerNext(500)
    await sale('5.00')
    await sendWebhooks(service)
    expect(await needs()).toMatchObject([
      { kind: 'webhook_failing', count: 1, items: [{ id }], target: { page: 'webhooks' } },
    ])
    await run('t_due', 'UPDATE webhook_deliveries SET next_at = now() WHERE next_at IS NOT NULL')
    await sendWebhooks(service)
    expect(await needs()).toEqual([])
    await receiver.close()
  })

  it('is a notification that contradicts its charge, until a person says that it is seen to', async () => {
    const { _id: chargeId } = await service.authorise()
    const id = await notificationToSee(service, 'd'.repeat(24), chargeId)
    expect(await needs()).toMatchObject([
      {
        kind: 'gateway_news',
        items: [{ id: chargeId, notification_id: id, words: 'CAPTURE: No capture of this amount is known.' }],
      },
    ])
    const dismiss = () =>
      dashboard.app.inject({
        method: 'POST',
        url: `/api/notifications/${id}/dismiss`,
        headers: { ...ownPage, cookie: dashboard.signIn(undefined, 'developer') },
        payload: {},
      })
    expect((await dismiss()).statusCode).toBe(200)
    expect(await needs()).toEqual([])
    expect((await dismiss()).statusCode).toBe(404)
    const told = "SELECT actor, facts FROM event_outbox WHERE type = 'gateway.notification_dismissed'"
    expect(await run('t_dismissed', told)).toMatchObject([
      { facts: { notification_id: id, charge_id: chargeId } },
    ])
    expect(JSON.stringify(await run('t_dismissed', told))).toMatch(/"actor":"user:/)
  })

  it('is a suspended agreement, of which the five newest are shown', async () => {
    await run(
      't_suspended',
      `INSERT INTO agreements (id, merchant_id, type, status, description, purpose, start_date, debtor, creditor, terms,
         response_required_by, metadata, created_at, updated_at)
       SELECT 'a' || n, $1, 'adhoc', 'suspended', 'Gym', 'other', '2026-01-01', '{}', '{}', '{}', now(), '{}', now(), now()
       FROM generate_series(1, 6) n`,
      service.merchant.merchant.id,
    )
    const items = ['a6', 'a5', 'a4', 'a3', 'a2'].map((id) => ({ id, words: 'Gym' }))
    expect(await needs()).toMatchObject([{ kind: 'agreement_suspended', count: 6, items }])
  })
})
