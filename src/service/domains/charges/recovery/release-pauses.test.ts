import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const endHold = testStatement(
  't_end_hold',
  "UPDATE charges SET hold_expires_at = now() - interval '1 second' WHERE id = $1",
)
const triedBefore = testStatement(
  't_tried_before',
  'UPDATE charges SET releases_tried = $2, updated_at = now() - make_interval(secs => $3) WHERE id = $1',
)
const withoutGateway = testStatement(
  't_without_gateway',
  `UPDATE charges SET payment_source = (payment_source::jsonb || '{"gateway_type":"gone"}')::json WHERE id = $1`,
)
const minuteLater = testStatement(
  't_minute_later',
  "UPDATE charges SET release_from = release_from - interval '1 minute' WHERE id = $1",
)
const releases = testStatement<{ count: number }>(
  't_releases',
  "SELECT count(*)::integer AS count FROM attempts WHERE charge_id = $1 AND reason = 'authorisation_expired'",
)
const timesTried = async (id: string) => (await service.database.run(releases, [id]))[0]?.count ?? 0

describe('an ended hold that could not be released', () => {
  it.each([
    ['never, a moment ago', 0, 0, 'cancelled'],
    ['once, 59 s ago', 1, 59, 'pending'],
    ['once, 61 s ago', 1, 61, 'cancelled'],
    ['three times, 239 s ago', 3, 239, 'pending'],
    ['three times, 241 s ago', 3, 241, 'cancelled'],
    ['12 times, a day ago but for a second', 12, 86_399, 'pending'],
    ['4,000 times, a day ago but for a second', 4000, 86_399, 'pending'],
    ['4,000 times, a day and a second ago', 4000, 86_401, 'cancelled'],
  ])('tried %s', async (_, tried, seconds, status) => {
    const { _id } = await service.authorise()
    await service.database.run(endHold, [_id])
    await service.database.run(triedBefore, [_id, tried, seconds])
    await service.runJob('release ended holds')
    expect((await calls.read(_id)).status).toBe(status)
  })

  it('is tried 11 times in its first day, as its gateway cannot be used', async () => {
    const { _id } = await service.authorise()
    await service.database.run(withoutGateway, [_id])
    await service.database.run(endHold, [_id])
    const triedAt: number[] = []
    for (let minute = 0; minute < 1440; minute += 1) {
      const before = await timesTried(_id)
      await service.runJob('release ended holds')
      if ((await timesTried(_id)) > before) triedAt.push(minute)
      await service.database.run(minuteLater, [_id])
    }
    expect(triedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023])
  })
})
