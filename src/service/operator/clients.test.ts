import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService, TEST_KEY } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'
import { operate as run } from '../testing/operate.ts'

let service: TestService
let merchantId: string
beforeAll(async () => {
  service = await createTestService()
  merchantId = service.merchant.merchant.id
})
afterAll(() => service.close())

const told = testStatement<{ type: string }>(
  't_told_of_clients',
  "SELECT type, facts FROM event_outbox WHERE merchant_id = $1 AND type LIKE 'oauth%' ORDER BY id",
)

function operate(command: string, parameters: string[], issuer?: string) {
  const environment = {
    SVC_OAUTH_ISSUER: issuer,
    SVC_VAULT_KEYS: `test:${TEST_KEY.toString('base64')}`,
  }
  return run(service, command, parameters, { environment })
}
const idIn = (said: string) => /client_[0-9a-f]{24}/.exec(said)?.[0] ?? ''

it('making, listing, rolling and revoking a client works, and each change is in the audit log', async () => {
  const made = await operate('clients add --json', [
    merchantId,
    '--scope',
    'payments:read',
    '--scope',
    'agreements:read',
  ])
  expect([made.code, made.said]).toEqual([0, expect.stringMatching(/"cs_sandbox_[\w-]{43}"/)])
  const id = idIn(made.said)
  expect((await operate('clients list', [merchantId])).said).toMatch(
    new RegExp(`^${id}  agreements:read payments:read  made .*  works$`),
  )
  expect((await operate('clients roll --json', [id, '--overlap', '1h'])).said).toMatch(/"old_ends_at": "20/)
  expect(await operate('clients revoke', [id])).toMatchObject({
    code: 0,
    said: `The client ${id} of merchant ${merchantId} has ended.`,
  })
  expect((await operate('clients revoke', [id])).code).toBe(1)
  expect((await operate('clients roll --json', [id])).code).toBe(1)
  expect((await operate('clients list', [merchantId])).said).toMatch(/ended 20/)
  const events = await service.database.run(told, [merchantId])
  expect(events.map(({ type }) => type).sort()).toEqual([
    'oauth_client.added',
    'oauth_client.revoked',
    'oauth_secret.rolled',
  ])
  expect(JSON.stringify(events)).not.toContain('cs_sandbox')
})

it('a client of another issuer is added once only, and only where an issuer is set', async () => {
  const issuer = 'https://id.example.com'
  const register = () => operate('clients add --json', [merchantId, '--external', 'acme|erp'], issuer)
  expect((await register()).code).toBe(0)
  expect((await register()).complained).toMatch(/already/)
  expect((await operate('clients list', [merchantId])).said).toContain(`acme|erp  of ${issuer}`)
  expect((await operate('clients add --json', [merchantId, '--external', 'x'])).complained).toMatch(/not set/)
  expect((await operate('clients add --json', [merchantId], issuer)).complained).toMatch(/--external/)
})

it.each([
  ['clients add --json', ['m', '--scope', 'admin']],
  ['clients add --json', ['m', '--external', 'a b']],
  ['clients roll --json', ['c', '--overlap', 'long']],
  ['signing-keys rotate', ['now']],
])('svc %s %j is no call', async (command, parameters) => {
  expect((await operate(command, parameters)).code).toBe(2)
})

it('an unknown scope is refused, with a list of the scopes that exist', async () => {
  const { code, complained } = await operate('clients add', [merchantId, '--scope', 'bogus'])
  expect(code).toBe(2)
  expect(complained).toContain(
    "'bogus' is invalid. Allowed choices are agreements:read, agreements:write, payments:read, payments:write.",
  )
})

it('a merchant that does not exist is reported', async () => {
  const nobody = '65b000000000000000000000'
  const unknown = { code: 1, said: '', complained: `svc: There is no merchant ${nobody}.` }
  expect(await operate('clients add --json', [nobody])).toEqual(unknown)
  expect(await operate('clients list', [nobody])).toEqual(unknown)
})

it('after a key was replaced at once, no token of the old one is given', async () => {
  const kidOf = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  const old = kidOf(await service.accessToken())
  expect((await operate('signing-keys rotate', ['--at-once'])).code).toBe(0)
  expect(kidOf(await service.accessToken())).not.toBe(old)
  expect((await operate('signing-keys rotate', [])).said).toMatch(/signs in an hour/)
})
