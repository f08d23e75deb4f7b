import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls, declined, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

describe('a payment whose outcome is not known', () => {
  it.each([
    ['applied', '9000.68', 'completed', 200],
    ['lost', '9000.69', 'active', 503],
  ])('%s: a second try waits for it', async (_name, amount, status, later) => {
    const { _id, token } = await calls.make({ amount })
    const answer = await calls.pay(token, await calls.tokenise(token))
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'outcome_unknown' } } })
    const [second, charges] = await calls.chargesBeside(async () =>
      calls.pay(token, await calls.tokenise(token)),
    )
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } })
    expect(second.headers['retry-after']).toBe('1')
    expect(charges).toEqual([])
    expect((await calls.cancel(_id)).status).toBe(409)
    await service.runJob('resolve attempts')
    expect((await calls.read(_id)).status).toBe(status)
    expect((await calls.pay(token, await service.tokenise())).status).toBe(later)
  })

  it('is waited for past the end of the time, and the page hears of it', async () => {
    const { _id, token } = await calls.make({ amount: '9000.68' })
    await calls.pay(token, await calls.tokenise(token))
    expect(sessionOf(await calls.session(token))).toMatchObject({ payment_under_way: true })
    await calls.endTime(_id)
    await service.runJob('expire checkouts')
    expect((await calls.read(_id)).status).toBe('active')
    await service.runJob('resolve attempts')
    const session = sessionOf(await calls.session(token))
    expect(session).toMatchObject({ status: 'completed', payment_under_way: false })
  })
})

describe('a hold whose outcome is known only once its time is over', () => {
  it.each([
    ['not released yet', []],
    ['released', ['release ended holds']],
  ])('has not paid its checkout: it cannot be captured (%s)', async (_name, jobs) => {
    const template = await calls.makeTemplate('configuration', { capture: 'later' })
    const configuration = { template_id: template }
    const { _id, token } = await calls.make({ amount: '9000.68', configuration })
    await calls.pay(token, await calls.tokenise(token))
    await calls.endTime(_id)
    await service.database.script(
      "UPDATE attempts SET created_at = created_at - interval '8 days' WHERE outcome = 'open'",
    )
    for (const job of ['resolve attempts', ...jobs]) await service.runJob(job)
    expect((await calls.read(_id)).status).toBe('expired')
    expect(await calls.stepsOf(_id)).toEqual(['created', 'payment_tried', 'payment_failed'])
  })
})

describe('a crash after the gateway approved', () => {
  const syncWithCharge = () => service.runJob('sync checkouts with charges')
  const interrupted = async (card = {}) => {
    const made = await calls.make()
    await service.database.script(`
      CREATE OR REPLACE FUNCTION lose_intent() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'gone'; END $$;
      CREATE TRIGGER lose_intent BEFORE UPDATE ON checkout_intents FOR EACH ROW
        WHEN (NEW.status = 'completed' OR (OLD.charge_id IS NOT NULL AND NEW.charge_id IS NULL))
        EXECUTE FUNCTION lose_intent()`)
    const answer = await calls.pay(made.token, await calls.tokenise(made.token, card))
    expect(answer.status).toBe(500)
    await service.database.script('DROP TRIGGER lose_intent ON checkout_intents')
    return made
  }

  it('is mended by whoever looks next: the charge says that it is paid', async () => {
    const { _id, token } = await interrupted()
    const [again, charges] = await calls.chargesBeside(async () => calls.pay(token, await service.tokenise()))
    expect([again.status, charges]).toEqual([200, []])
    expect(await calls.stepsOf(_id)).toEqual(['created', 'payment_tried', 'paid'])
  })

  it('is mended by a job when nobody looks', async () => {
    const made = [await interrupted(), await interrupted(declined)]
    const age = `UPDATE checkout_intents SET updated_at = now() - interval '1 minute'`
    await service.database.run(testStatement('t_age', age), [])
    await syncWithCharge()
    const rows = testStatement<{ id: string; status: string; charge_id: string | null }>(
      't_rows',
      'SELECT id, status, charge_id FROM checkout_intents',
    )
    const found = await service.database.run(rows, [])
    const statusOf = (id: string | undefined) => found.find((row) => row.id === id)
    expect(statusOf(made[0]?._id)?.status).toBe('completed')
    expect(statusOf(made[1]?._id)).toMatchObject({ status: 'active', charge_id: null })
  })

  it('is mended by a job although a whole page of others before it can’t be', async () => {
    const made = await interrupted()
    await service.database.script(`
      UPDATE checkout_intents SET updated_at = now() - interval '1 minute' WHERE id = '${made._id}';
      INSERT INTO checkout_intents
        (id, merchant_id, workflow_version, amount, currency, customer, configuration, customisation, status, journey,
         charge_id, updated_at, expires_at)
      SELECT lpad(n::text, 24, '0'), merchant_id, workflow_version, amount, currency, customer, configuration, customisation,
             'active', journey, lpad(n::text, 24, '0'), updated_at, expires_at
      FROM checkout_intents, generate_series(1, 100) n WHERE id = '${made._id}'`)
    await expect(syncWithCharge()).rejects.toThrow()
    const status = testStatement<{ status: string }>(
      't_status',
      'SELECT status FROM checkout_intents WHERE id = $1',
    )
    expect(await service.database.run(status, [made._id])).toEqual([{ status: 'completed' }])
  })
})
