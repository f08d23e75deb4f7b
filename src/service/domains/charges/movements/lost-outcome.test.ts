import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
  await service.database.script(`
    CREATE TABLE refused_settlements (type text);
    CREATE FUNCTION refuse_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM refused_settlements r WHERE r.type = NEW.type) THEN
          RAISE EXCEPTION 'disk full';
        END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER refuse_settlement BEFORE UPDATE OF outcome ON attempts
      FOR EACH ROW WHEN (NEW.outcome <> 'open') EXECUTE FUNCTION refuse_settlement()`)
})
afterAll(() => service.close())

const refuse = (type: string) => service.database.script(`INSERT INTO refused_settlements VALUES ('${type}')`)
const recover = () => service.database.script('DELETE FROM refused_settlements')

describe('an outcome that cannot be recorded after the gateway has acted', () => {
  it('of a sale is unknown to the merchant, who is told how to learn it, until it is recorded', async () => {
    await refuse('sale')
    const answer = await calls.sell({ amount: '10', currency: 'AUD', token: await service.tokenise() })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'outcome_unknown' } } })
    const { _id } = chargeOf(answer)
    await recover()
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({ status: 'pending' })
  })

  it('of a capture is too', async () => {
    const { _id } = await service.authorise()
    await refuse('capture')
    expect((await calls.capture(_id)).body.error?.code).toBe('outcome_unknown')
    await recover()
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({ status: 'complete' })
  })

  it('keeps no other attempt waiting, however often it was asked for', async () => {
    const [stuck, other] = [await service.authorise(), await service.authorise({ amount: '9500.00' })]
    await refuse('capture')
    await calls.capture(stuck._id)
    await calls.capture(other._id, { amount: '9000.68' })
    await service.database.run(testStatement('t_asked', 'UPDATE attempts SET times_asked = 5000'), [])
    await service.runJob('resolve attempts')
    expect(service.logged()).toContain('what was left unfinished could not be finished yet')
    await recover()
    await service.runJob('resolve attempts')
    for (const { _id } of [stuck, other]) expect((await calls.read(_id)).status).toBe('complete')
  })
})
