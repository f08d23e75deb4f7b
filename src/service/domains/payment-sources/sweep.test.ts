import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { tokenHashOf } from './token-store.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const age = testStatement(
  't_age_token',
  "UPDATE payment_source_tokens SET expires_at = now() - $2 * interval '1 second' WHERE token_hash = $1",
)
const kept = testStatement<{ secrets: number }>(
  't_secrets',
  `SELECT (card_number IS NOT NULL)::int + (card_ccv IS NOT NULL)::int + (wrapped_data_key IS NOT NULL)::int AS secrets
   FROM payment_source_tokens WHERE token_hash = $1`,
)
const DAY = 86_400

describe('the sweep of tokens', () => {
  it.each([
    ['has a minute left', -60, [{ secrets: 3 }]],
    ['has just expired', 1, [{ secrets: 0 }]],
    ['expired 29 days ago', 29 * DAY, [{ secrets: 0 }]],
    ['expired 30 days ago', 30 * DAY + 1, []],
  ])('of one that %s', async (_when, seconds, left) => {
    const token = await service.tokenise()
    await service.database.run(age, [tokenHashOf(token), seconds])
    await service.runJob('erase expired tokens')
    expect(await service.database.run(kept, [tokenHashOf(token)])).toEqual(left)
  })
})
