import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServiceSecrets } from '../platform/vault/service-secrets.ts'
import { localMasterKeys } from '../testing/local-master-keys.ts'
import { createTestService, TEST_KEY } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { startAdyenDouble } from '../domains/gateways/adyen/testing/adyen-double.ts'
import { operate as run } from '../testing/operate.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const MISSING = '65b000000000000000000000'

function operate(command: string, ...parameters: string[]) {
  const environment = { SVC_VAULT_KEYS: `test:${TEST_KEY.toString('base64')}` }
  return run(service, command, parameters, { environment, secret: 'an-api-key' })
}

describe('merchants', () => {
  it('are listed, renamed, and shown on other pages', async () => {
    const { merchant } = await service.makeMerchant({ allowedOrigins: ['https://old.example'] })
    expect((await operate('merchants change', merchant.id, '--name', 'New name')).code).toBe(0)
    const pages = ['--origin', 'https://a.example', '--origin', 'https://b.example']
    expect((await operate('merchants change', merchant.id, ...pages)).code).toBe(0)
    const line = new RegExp(
      `^${merchant.id}  New name  https://a.example https://b.example  pre-auth on  made 20`,
      'm',
    )
    expect((await operate('merchants list')).said).toMatch(line)
    expect((await operate('merchants change', merchant.id, '--every-page')).said).toMatch(
      /^Every page may show/,
    )
    expect((await service.merchants.read(merchant.id))?.allowedOrigins).toEqual([])
  })

  it('are listed on one line each, whatever their names contain', async () => {
    const name = 'Acme\u001b[2J\n65b000000000000000000000  Other\u202e\u009b1m é 店'
    const made = { name, preAuth: false, allowedOrigins: [] }
    const { merchant } = await service.merchants.make(made, () => undefined)
    await service.merchants.addGateway(merchant.id, {
      name,
      type: 'sandbox',
      isDefault: true,
      credentials: null,
    })
    const shown = String.raw`Acme\u{1b}[2J\u{a}65b000000000000000000000  Other\u{202e}\u{9b}1m é 店`
    for (const list of [await operate('merchants list'), await operate('gateways list', merchant.id)])
      expect(list.said.split('\n').find((line) => line.includes('Acme'))).toContain(shown)
    const renamed = await operate('merchants change', merchant.id, '--name', 'New\u001b[2J')
    expect(renamed.said).toBe(String.raw`Merchant ${merchant.id} is called New\u{1b}[2J.`)
  })

  it('are as they were where what should change is wrong', async () => {
    const { merchant } = await service.makeMerchant({ allowedOrigins: ['https://old.example'] })
    const wrong = ['--name', 'Other', '--origin', 'https://shop.acme.example/pay']
    expect((await operate('merchants change', merchant.id, ...wrong)).code).toBe(2)
    expect(await service.merchants.read(merchant.id)).toEqual(merchant)
  })

  it('are shown with their gateways, and several things of one are changed by one call', async () => {
    const { merchant, gatewayId } = await service.makeMerchant()
    const changed = await operate('merchants change', merchant.id, '--name', 'Both', '--no-pre-auth')
    expect(changed).toEqual({
      code: 0,
      said: `Merchant ${merchant.id} is called Both.\nPre-Auth is off; running services follow at once.`,
      complained: '',
    })
    const { said } = await operate('merchants show', merchant.id)
    expect(said).toMatch(
      new RegExp(
        `^pre_auth +false$[^]*^gateways +${gatewayId ?? ''}  sandbox  Sandbox  true  automatic$`,
        'm',
      ),
    )
  })

  it('that do not exist are reported', async () => {
    const nobody = { code: 1, said: '', complained: `svc: There is no merchant ${MISSING}.` }
    expect(await operate('merchants change', MISSING, '--name', 'x')).toEqual(nobody)
    expect(await operate('merchants change', MISSING, '--every-page')).toEqual(nobody)
    expect(await operate('gateways list', MISSING)).toEqual(nobody)
  })
})

describe('gateways', () => {
  const account = ['--merchant-account', 'Acme', '--url', 'https://checkout-test.adyen.com/v72']

  it('are listed, changed, made the default and removed, until they have taken a payment', async () => {
    const made = await service.makeMerchant()
    const merchantId = made.merchant.id
    const sandbox = made.gatewayId ?? ''
    const id =
      /[\da-f]{24}/.exec((await operate('gateways add --json', merchantId, 'adyen', ...account)).said)?.[0] ??
      ''
    expect((await operate('gateways list', merchantId)).said).toContain(
      `${sandbox}  sandbox  Sandbox  default`,
    )
    expect((await operate('gateways change', merchantId, id, '--merchant-account', 'Other')).code).toBe(0)
    expect(await service.merchants.credentialsOf(merchantId, id)).toMatchObject({
      api_key: 'an-api-key',
      merchant_account: 'Other',
    })
    expect((await operate('gateways change', merchantId, sandbox, ...account)).code).toBe(1)
    expect((await operate('gateways remove', merchantId, sandbox)).complained).toMatch(/is the default/)
    await service.authorise({}, made)
    expect((await operate('gateways set-default', merchantId, id)).code).toBe(0)
    expect((await operate('gateways remove', merchantId, sandbox)).complained).toMatch(
      /has taken payments.*It stays\.$/,
    )
    expect((await operate('gateways set-default', merchantId, sandbox)).code).toBe(0)
    expect((await operate('gateways remove', merchantId, id)).code).toBe(0)
    expect((await operate('gateways remove', merchantId, id)).complained).toMatch(/has no gateway/)
    expect((await operate('gateways set-default', merchantId, id)).code).toBe(1)
  })

  it('say whether their card holders are authenticated', async () => {
    const { merchant, gatewayId } = await service.makeMerchant()
    const change = (wish: string, id = gatewayId ?? '') =>
      operate('gateways set-authentication', merchant.id, id, wish)
    expect(await change('challenge')).toEqual({
      code: 0,
      said: `Card holders of gateway ${gatewayId ?? ''} are authenticated: challenge.`,
      complained: '',
    })
    expect((await operate('gateways list', merchant.id)).said).toContain('default  3-D Secure: challenge')
    expect((await operate('gateways list --json', merchant.id)).said).toContain('challenge')
    expect((await change('never', MISSING)).complained).toMatch(/has no gateway/)
    expect((await change('always')).complained).toMatch(/automatic, challenge, never/)
  })

  it('that have taken a payment keep their account, but may get another API key', async () => {
    const double = await startAdyenDouble({ apiKey: 'an-api-key' })
    const made = await service.makeMerchant()
    const at = (name: string, url: string) => ['--merchant-account', name, '--url', url]
    const acme = at('Acme', double.baseUrl)
    const added = await operate('gateways add --json', made.merchant.id, 'adyen', ...acme, '--default')
    const change = [made.merchant.id, /[\da-f]{24}/.exec(added.said)?.[0] ?? ''] as const
    await service.authorise({}, made)
    for (const other of [at('Other', double.baseUrl), at('Acme', 'https://checkout-test.adyen.com/v72')]) {
      const { code, complained } = await operate('gateways change', ...change, ...other)
      expect(code).toBe(1)
      expect(complained).toMatch(/has taken payments.*svc gateways add/)
    }
    const nextVersion = at('Acme', double.baseUrl.replace('v72', 'v73'))
    for (const same of [acme, nextVersion])
      expect((await operate('gateways change', ...change, ...same)).code).toBe(0)
    await double.close()
  })
})

it('a master key that no running process can know is not rotated to', async () => {
  const keys = ['next', 'test'].map(
    (id) => `${id}:${(id === 'test' ? TEST_KEY : randomBytes(32)).toString('base64')}`,
  )
  const environment = { SVC_VAULT_KEYS: keys.join(',') }
  const own = await createTestService()
  const { code, complained } = await run(own, 'vault rotate', [], { environment })
  expect([code, complained]).toEqual([
    1,
    expect.stringMatching(/^svc: No process has started with the key next yet/),
  ])
  await openServiceSecrets(own.database, localMasterKeys(keys.join(',')))
  expect((await run(own, 'vault rotate', [], { environment })).code).toBe(0)
  await own.close()
})

it('a master key under which nothing was ever kept is not counted as lost', async () => {
  expect(await operate('vault rotate', '--lost', 'zz')).toEqual({
    code: 1,
    said: '',
    complained: 'svc: No key zz is known here.',
  })
})
