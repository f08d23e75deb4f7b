import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../testing/test-card.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { secondsOf } from './command.ts'
import { operate as run } from '../testing/operate.ts'
import { testStatement } from '../testing/test-statement.ts'

let service: TestService
let another: TestService['call']
beforeAll(async () => {
  service = await createTestService()
  another = service.startAnother()
})
afterAll(() => service.close())

const revokeAll = testStatement(
  't_revoke',
  'UPDATE merchant_keys SET revoked_at = now() WHERE merchant_id = $1',
)
const endOverlap = testStatement(
  't_end_overlap',
  'UPDATE merchant_keys SET revoked_at = now() WHERE merchant_id = $1 AND revoked_at IS NOT NULL',
)
const told = testStatement<{ type: string; facts: Record<string, unknown> }>(
  't_told',
  "SELECT type, facts FROM event_outbox WHERE merchant_id = $1 AND type LIKE 'key.%' ORDER BY id",
)

const operate = (command: string, parameters: readonly string[], secret = '') =>
  run(service, command, parameters, { secret })

/** For each process, whether it accepts a secret key. */
const takes = async (key: string) => {
  const request = { url: '/v1/charges', headers: { 'x-user-secret-key': key } }
  return [(await service.call(request)).status, (await another(request)).status]
}
const keyIn = (said: string) => /"((?:pk|sk)_[^"]+)"/.exec(said)?.[1] ?? ''

describe('a key that is revoked', () => {
  it('is refused by every process from then on, and the command says what to do', async () => {
    const { merchant, secretKey, publicKey } = await service.makeMerchant()
    expect(await takes(secretKey)).toEqual([200, 200])
    await service.database.run(revokeAll, [merchant.id])
    expect(await takes(secretKey)).toEqual([401, 401])
    const request = { url: '/v1/charges', headers: { 'x-user-secret-key': secretKey } }
    expect((await service.call(request)).body.error?.message).toMatch(/was revoked\. Use the secret key/)
    const tokenise = {
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': publicKey },
      payload: testCard,
    } as const
    expect((await service.call(tokenise)).status).toBe(401)
    const document = await service.raw({ url: `/sdk/latest/frame?public_key=${publicKey}` })
    expect(document.body).toContain('"code":"unauthorized"')
  })

  it('may be given by its id or as the key itself, and no other key is revoked', async () => {
    const { merchant, secretKey } = await service.makeMerchant()
    const { said } = await operate('keys roll --json', [merchant.id, '--kind', 'secret', '--overlap', '24h'])
    const fresh = keyIn(said)
    const id = /"key_id": "([\da-f]{16})"/.exec(said)?.[1] ?? ''
    expect((await operate('keys revoke', [], secretKey)).code).toBe(0)
    expect([await takes(secretKey), await takes(fresh)]).toEqual([
      [401, 401],
      [200, 200],
    ])
    expect((await operate('keys revoke', [id])).said).toContain(id)
    expect(await takes(fresh)).toEqual([401, 401])
    expect((await operate('keys revoke', [id])).code).toBe(1)
  })
})

describe('a key that is rolled', () => {
  it('works beside the new one until the overlap is over', async () => {
    const { merchant, secretKey, publicKey } = await service.makeMerchant()
    const { code, said } = await operate('keys roll --json', [
      merchant.id,
      '--kind',
      'secret',
      '--overlap',
      '24h',
    ])
    expect(code).toBe(0)
    expect([await takes(secretKey), await takes(keyIn(said))]).toEqual([
      [200, 200],
      [200, 200],
    ])
    await service.database.run(endOverlap, [merchant.id])
    expect([await takes(secretKey), await takes(keyIn(said))]).toEqual([
      [401, 401],
      [200, 200],
    ])
    expect(await service.merchants.keys.holderOf(publicKey, 'public')).toMatchObject({ id: merchant.id })
  })

  it('without an overlap ends at once; a longer overlap does not lengthen a shorter one', async () => {
    const { merchant, secretKey } = await service.makeMerchant()
    const roll = (...overlap: string[]) =>
      operate('keys roll --json', [merchant.id, '--kind', 'secret', ...overlap])
    const second = keyIn((await roll()).said)
    expect([await takes(secretKey), await takes(second)]).toEqual([
      [401, 401],
      [200, 200],
    ])
    await roll('--overlap', '1h')
    const { said } = await roll('--overlap', '7d')
    expect(said.match(/ends_at/g)).toHaveLength(1)
  })

  it('is listed by its id, and each act is an event without the key', async () => {
    const { merchant, secretKey } = await service.makeMerchant()
    const fresh = keyIn(
      (await operate('keys roll --json', [merchant.id, '--kind', 'secret', '--overlap', '30m'])).said,
    )
    const { said } = await operate('keys list', [merchant.id])
    expect(said.split('\n').map((line) => line.replace(/ {2}made \S+| until .*/g, '').slice(18))).toEqual(
      expect.arrayContaining(['public  works', 'secret  works', 'secret  works']),
    )
    expect(said).toMatch(/secret {2}made \S+ {2}works until /)
    const events = await service.database.run(told, [merchant.id])
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'key.made',
      'key.made',
      'key.made',
      'key.revoked',
    ])
    for (const key of [secretKey, fresh]) {
      expect(said).not.toContain(key)
      expect(JSON.stringify(events)).not.toContain(key)
    }
  })

  it.each([
    ['keys roll --json', ['6b01799184f819f4cecbe1a7', '--kind', 'secret'], 1],
    ['keys revoke', ['0123456789abcdef'], 1],
    ['keys revoke', ['in-the-history'], 2],
    ['keys list', ['6b01799184f819f4cecbe1a7'], 1],
  ] as const)('svc $0 $1 ends with $2', async (command, parameters, code) => {
    expect((await operate(command, parameters)).code).toBe(code)
  })
})

it.each([
  ['90s', 90],
  ['30m', 1800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['0s', 0],
])('%s is %s seconds', (text, seconds) => expect(secondsOf(text)).toBe(seconds))

it.each(['400d', '24', '-1h'])('%s is no time', (text) =>
  expect(() => secondsOf(text)).toThrow('It must be a time up to a year'),
)
