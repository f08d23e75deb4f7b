import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../platform/database/migrate.ts'
import { migrations } from '../../platform/database/migrations.ts'
import type { Database } from '../../platform/database/database.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

const step = migrations.findIndex(({ version }) => version.startsWith('048'))

/** As the version before 1.2.0 leaves webhooks: the second one has answered 410. */
const ENABLED = '6b01799184f819f4cecbe1f1'
const DISABLED = '6b01799184f819f4cecbe1f2'
const addBefore = testStatement(
  't_add_webhooks_before',
  `INSERT INTO webhook_endpoints
     (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret, disabled_at)
   SELECT id, 'm', 'https://shop.example/hook', NULL, 'old', '\\x01', '\\x02', disabled_at
   FROM (VALUES ($1, NULL), ($2, now())) AS webhook (id, disabled_at)`,
)
const giveTo = testStatement('t_give_webhooks', 'UPDATE webhook_endpoints SET merchant_id = $1')
const secrets = testStatement(
  't_webhook_secrets',
  `SELECT id, master_key_id, wrapped_data_key IS NOT NULL AS has_data_key, secret IS NOT NULL AS has_secret
   FROM webhook_endpoints ORDER BY id`,
)

let database: Database
let service: TestService
beforeAll(async () => {
  database = await createTestDatabase()
  await migrate(database, migrations.slice(0, step))
  await database.run(addBefore, [ENABLED, DISABLED])
  service = await createTestService({ database })
  await database.run(giveTo, [service.merchant.merchant.id])
})
afterAll(async () => {
  await service.close()
  await database.close()
})

const ask = async (method: 'PATCH' | 'POST', path: string, payload: object) => {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const { status, body } = await service.call({ method, url: `/v1/webhooks/${path}`, headers, payload })
  return [status, body.error?.message ?? body.resource.data]
}

describe('a webhook that was disabled before secrets of such were kept', () => {
  it('has no secret any more; one that was enabled keeps its own', async () => {
    expect(await database.run(secrets, [])).toEqual([
      { id: ENABLED, master_key_id: 'old', has_data_key: true, has_secret: true },
      { id: DISABLED, master_key_id: null, has_data_key: false, has_secret: false },
    ])
  })

  it('is enabled once it has another secret, and says so before', async () => {
    expect(await ask('PATCH', DISABLED, { status: 'enabled' })).toEqual([
      422,
      'The secret of this webhook is lost. Roll it first, then enable the webhook.',
    ])
    const rolled = await ask('POST', `${DISABLED}/secret`, { overlap_seconds: 3600 })
    // The secret before it is not there to sign beside the new one.
    expect(rolled).toEqual([201, expect.objectContaining({ old_secret_ends_at: null })])
    expect(await ask('PATCH', DISABLED, { status: 'enabled' })).toEqual([
      200,
      expect.objectContaining({ status: 'enabled' }),
    ])
  })
})
