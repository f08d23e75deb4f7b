import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KeyView, MadeKey } from '../../../contract/dashboard/company/api-key.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { asking, createTestSessions } from './testing/signed-in.ts'
import type { AskDashboard } from './testing/signed-in.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
/** Another process on the same database. */
let elsewhere: TestService['call']
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  elsewhere = service.startAnother()
})
afterAll(() => service.close())

const selectEvents = testStatement<{ type: string; actor: string }>(
  't_told_of_keys',
  "SELECT type, actor, facts FROM event_outbox WHERE merchant_id = $1 AND type LIKE 'key.%' ORDER BY created_at, id",
)
const forgetText = testStatement('t_forget_key', 'UPDATE merchant_keys SET key = NULL WHERE merchant_id = $1')
const ageUse = testStatement(
  't_age_use_of_keys',
  "UPDATE merchant_keys SET last_used_at = last_used_at - interval '1 hour' WHERE merchant_id = $1",
)
const endOverlap = testStatement(
  't_end_overlap_of_keys',
  'UPDATE merchant_keys SET revoked_at = now() WHERE merchant_id = $1 AND revoked_at IS NOT NULL',
)

async function begin() {
  const made = await service.makeMerchant()
  const cookie = sessions.open({ merchantId: made.merchant.id })
  const list = async () => {
    const { body } = await ask(cookie, { url: '/api/keys' })
    return v.parse(v.array(KeyView), body.resource.data)
  }
  const roll = async (kind: 'public' | 'secret', seconds: number) => {
    const payload = { kind, overlap_seconds: seconds }
    const { status, body } = await ask(cookie, { method: 'POST', url: '/api/keys', payload })
    expect(status).toBe(201)
    return v.parse(MadeKey, body.resource.data)
  }
  const revoke = (id: string) => ask(cookie, { method: 'DELETE', url: `/api/keys/${id}` })
  return { ...made, cookie, list, roll, revoke }
}
/** Both processes' answers to a secret key. */
const takes = async (key: string) => {
  const request = { url: '/v1/charges', headers: { 'x-user-secret-key': key } }
  return [(await service.call(request)).status, (await elsewhere(request)).status]
}

it('the public key is shown, and the secret one is not', async () => {
  const { list, publicKey, secretKey, merchant } = await begin()
  const keys = await list()
  expect(keys).toHaveLength(2)
  expect(keys.find(({ kind }) => kind === 'public')).toMatchObject({ key: publicKey, is_revoked: false })
  expect(keys.find(({ kind }) => kind === 'secret')).toMatchObject({ key: null, ends_at: null })
  expect(JSON.stringify(keys)).not.toContain(secretKey)
  await service.database.run(forgetText, [merchant.id])
  expect((await list()).map(({ key }) => key)).toEqual([null, null])
})

it('during the overlap of a roll both keys work at every process', async () => {
  const { roll, secretKey, merchant, list } = await begin()
  const made = await roll('secret', 3600)
  expect(made.ended).toMatchObject([{ kind: 'secret', key: null, is_revoked: false }])
  expect([await takes(secretKey), await takes(made.key)]).toEqual([
    [200, 200],
    [200, 200],
  ])
  await service.database.run(endOverlap, [merchant.id])
  expect([await takes(secretKey), await takes(made.key)]).toEqual([
    [401, 401],
    [200, 200],
  ])
  expect(JSON.stringify(await list())).not.toContain(made.key)
  expect(service.logged()).not.toContain(made.key)
})

it('a roll shows the new public key, and without an overlap ends the old at once', async () => {
  const { roll, list, publicKey } = await begin()
  const { key, id } = await roll('public', 0)
  const keys = await list()
  expect(keys.find((one) => one.id === id)).toMatchObject({ key, is_revoked: false })
  expect(keys.find((one) => one.key === publicKey)).toMatchObject({ is_revoked: true })
})

it('a key is revoked at once, at every process', async () => {
  const { list, revoke, secretKey } = await begin()
  const id = (await list()).find(({ kind }) => kind === 'secret')?.id ?? ''
  expect(await takes(secretKey)).toEqual([200, 200])
  expect(await revoke(id)).toMatchObject({ status: 200, body: { resource: { data: { is_revoked: true } } } })
  expect(await takes(secretKey)).toEqual([401, 401])
  expect(await revoke(id)).toMatchObject({ status: 404 })
})

it('the last use of a key is shown, and written once an hour at most', async () => {
  const { list, secretKey, merchant } = await begin()
  const usedAt = async (kind: string) => (await list()).find((key) => key.kind === kind)?.last_used_at
  expect([await usedAt('secret'), await usedAt('public')]).toEqual([null, null])
  await takes(secretKey)
  expect(await usedAt('secret')).toBeNull()
  await service.runJob('note uses of keys')
  const first = await usedAt('secret')
  expect(Date.now() - Date.parse(first ?? '')).toBeLessThan(60_000)
  expect(await usedAt('public')).toBeNull()
  await takes(secretKey)
  await service.runJob('note uses of keys')
  expect(await usedAt('secret')).toBe(first)
  await service.database.run(ageUse, [merchant.id])
  await service.runJob('note uses of keys')
  await takes(secretKey)
  await service.runJob('note uses of keys')
  expect(Date.now() - Date.parse((await usedAt('secret')) ?? '')).toBeLessThan(60_000)
})

it('a refused key does not count as used', async () => {
  const { list, revoke, secretKey } = await begin()
  const id = (await list()).find(({ kind }) => kind === 'secret')?.id ?? ''
  await revoke(id)
  expect(await takes(secretKey)).toEqual([401, 401])
  await service.runJob('note uses of keys')
  expect((await list()).find((key) => key.id === id)?.last_used_at).toBeNull()
})

it('a key of another merchant is not found', async () => {
  const [mine, other] = [await begin(), await begin()]
  const [{ id } = { id: '' }] = await other.list()
  expect(await mine.revoke(id)).toMatchObject({ status: 404 })
  expect(await takes(other.secretKey)).toEqual([200, 200])
})

it('each change is an event in the person’s name, without the key', async () => {
  const { roll, merchant, cookie } = await begin()
  const { key } = await roll('secret', 60)
  const events = await service.database.run(selectEvents, [merchant.id])
  const actor = `user:${cookie.slice(-24)}`
  const own = events.filter((event) => event.actor === actor)
  expect(own.map(({ type }) => type).sort()).toEqual(['key.made', 'key.revoked'])
  expect(JSON.stringify(events)).not.toContain(key)
})

it.each([
  [{ kind: 'both', overlap_seconds: 0 }, 'kind'],
  [{ kind: 'secret' }, 'overlap_seconds'],
  [{ kind: 'secret', overlap_seconds: -1 }, 'overlap_seconds'],
  [{ kind: 'secret', overlap_seconds: 0.5 }, 'overlap_seconds'],
  [{ kind: 'secret', overlap_seconds: 1e9 }, 'overlap_seconds'],
])('the request %j is refused by its field', async (payload, path) => {
  const { cookie } = await begin()
  expect(await ask(cookie, { method: 'POST', url: '/api/keys', payload })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path }] } },
  })
})
