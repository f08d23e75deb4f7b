import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServiceSecrets } from '../../platform/vault/service-secrets.ts'
import { localMasterKeys } from '../../testing/local-master-keys.ts'
import { createTestService, TEST_KEY } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { startAdyenDouble } from '../../domains/gateways/adyen/testing/adyen-double.ts'
import { addGateway } from './add-gateway.ts'
import { changeGateway } from './change-gateway.ts'
import type { Command } from '../command.ts'
import { operate as run } from '../testing/operate.ts'
import { listGateways, removeGateway, setDefaultGateway } from './gateway-commands.ts'
import { addMerchant, listMerchants, renameMerchant, setOrigins } from './merchant-commands.ts'
import { rotateVault } from '../keys/rotate-vault.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const MISSING = '65b000000000000000000000'

async function operate(command: Command, ...parameters: string[]) {
  const environment = { SVC_VAULT_KEYS: `test:${TEST_KEY.toString('base64')}` }
  const { code, said } = await run(service, command, parameters, { environment, secret: 'an-api-key' })
  return { code, said: said.join('\n') }
}

describe('merchants', () => {
  it('are listed, renamed, and shown on other pages', async () => {
    const { merchant } = await service.makeMerchant({ allowedOrigins: ['https://old.example'] })
    expect((await operate(renameMerchant, merchant.id, '--name', 'New name')).code).toBe(0)
    const pages = ['--origin', 'https://a.example', '--origin', 'https://b.example']
    expect((await operate(setOrigins, merchant.id, ...pages)).code).toBe(0)
    const line = new RegExp(
      `^${merchant.id}  New name  https://a.example https://b.example  pre-auth on  made 20`,
      'm',
    )
    expect((await operate(listMerchants)).said).toMatch(line)
    expect((await operate(setOrigins, merchant.id, '--every-page')).said).toMatch(/^Every page may show/)
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
    for (const list of [await operate(listMerchants), await operate(listGateways, merchant.id)])
      expect(list.said.split('\n').find((line) => line.includes('Acme'))).toContain(shown)
    const renamed = await operate(renameMerchant, merchant.id, '--name', 'New\u001b[2J')
    expect(renamed.said).toBe(String.raw`Merchant ${merchant.id} is called New\u{1b}[2J.`)
  })

  it.each([
    [addMerchant, ['--name', 'Acme', '--origin', 'shop.acme.example']],
    [setOrigins, [MISSING, '--origin', 'https://shop.acme.example/pay']],
  ])('%o refuses an invalid origin, and says what is wrong', async (command, parameters) => {
    expect(await operate(command, ...parameters)).toEqual({
      code: 1,
      said: '--origin must be scheme and host, like https://shop.acme.example.',
    })
  })

  it('that do not exist are reported', async () => {
    const nobody = { code: 1, said: `There is no merchant ${MISSING}.` }
    expect(await operate(renameMerchant, MISSING, '--name', 'x')).toEqual(nobody)
    expect(await operate(setOrigins, MISSING, '--every-page')).toEqual(nobody)
    expect(await operate(listGateways, MISSING)).toEqual(nobody)
  })
})

describe('gateways', () => {
  const account = ['--merchant-account', 'Acme', '--url', 'https://checkout-test.adyen.com/v72']

  it('are listed, changed, made the default and removed, until they have taken a payment', async () => {
    const made = await service.makeMerchant()
    const merchantId = made.merchant.id
    const sandbox = made.gatewayId ?? ''
    const id =
      /[\da-f]{24}/.exec((await operate(addGateway, merchantId, 'adyen', ...account)).said)?.[0] ?? ''
    expect((await operate(listGateways, merchantId)).said).toContain(`${sandbox}  sandbox  Sandbox  default`)
    expect((await operate(changeGateway, merchantId, id, '--merchant-account', 'Other')).code).toBe(0)
    expect(await service.merchants.credentialsOf(merchantId, id)).toMatchObject({
      api_key: 'an-api-key',
      merchant_account: 'Other',
    })
    expect((await operate(changeGateway, merchantId, sandbox, ...account)).code).toBe(1)
    expect((await operate(removeGateway, merchantId, sandbox)).said).toMatch(/is the default/)
    await service.authorise({}, made)
    expect((await operate(setDefaultGateway, merchantId, id)).code).toBe(0)
    expect((await operate(removeGateway, merchantId, sandbox)).said).toMatch(
      /has taken payments.*It stays\.$/,
    )
    expect((await operate(setDefaultGateway, merchantId, sandbox)).code).toBe(0)
    expect((await operate(removeGateway, merchantId, id)).code).toBe(0)
    expect((await operate(removeGateway, merchantId, id)).said).toMatch(/has no gateway/)
    expect((await operate(setDefaultGateway, merchantId, id)).code).toBe(1)
  })

  it('that have taken a payment keep their account, but may get another API key', async () => {
    const double = await startAdyenDouble({ apiKey: 'an-api-key' })
    const made = await service.makeMerchant()
    const at = (name: string, url: string) => ['--merchant-account', name, '--url', url]
    const acme = at('Acme', double.baseUrl)
    const added = await operate(addGateway, made.merchant.id, 'adyen', ...acme, '--default')
    const change = [made.merchant.id, /[\da-f]{24}/.exec(added.said)?.[0] ?? ''] as const
    await service.authorise({}, made)
    for (const other of [at('Other', double.baseUrl), at('Acme', 'https://checkout-test.adyen.com/v72')]) {
      const { code, said } = await operate(changeGateway, ...change, ...other)
      expect(code).toBe(1)
      expect(said).toMatch(/has taken payments.*add-gateway/)
    }
    const nextVersion = at('Acme', double.baseUrl.replace('v72', 'v73'))
    for (const same of [acme, nextVersion])
      expect((await operate(changeGateway, ...change, ...same)).code).toBe(0)
    await double.close()
  })
})

it('a master key that no running process can know is not rotated to', async () => {
  const keys = ['next', 'test'].map(
    (id) => `${id}:${(id === 'test' ? TEST_KEY : randomBytes(32)).toString('base64')}`,
  )
  const environment = { SVC_VAULT_KEYS: keys.join(',') }
  const own = await createTestService()
  const { code, said } = await run(own, rotateVault, [], { environment })
  expect([code, said.join()]).toEqual([
    1,
    expect.stringMatching(/^No process has started with the key next yet/),
  ])
  await openServiceSecrets(own.database, localMasterKeys(keys.join(',')))
  expect((await run(own, rotateVault, [], { environment })).code).toBe(0)
  await own.close()
})

it('a master key under which nothing was ever kept is not counted as lost', async () => {
  await expect(operate(rotateVault, '--lost', 'zz')).rejects.toThrow(/^No key zz is known here\.$/)
})

it.each([
  [listMerchants, ['more']],
  [renameMerchant, [MISSING]],
  [setOrigins, [MISSING]],
  [setOrigins, [MISSING, '--every-page', '--origin', 'https://a.example']],
  [listGateways, []],
  [setDefaultGateway, [MISSING]],
  [removeGateway, [MISSING]],
  [changeGateway, [MISSING, MISSING]],
])('$name with wrong parameters ends with 2, for which the usage is shown', async (command, parameters) => {
  expect(await operate(command, ...parameters)).toEqual({ code: 2, said: '' })
})
