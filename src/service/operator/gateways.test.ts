import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAdyenDouble } from '../domains/gateways/adyen/testing/adyen-double.ts'
import type { AdyenDouble } from '../domains/gateways/adyen/testing/adyen-double.ts'
import type { MadeMerchant } from '../domains/merchants/merchants.ts'
import { chargeOf } from '../testing/charge-calls.ts'
import { createTestService, TEST_KEY } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { operate } from '../testing/operate.ts'
import type { Operated } from '../testing/operate.ts'

let service: TestService
let doubles: AdyenDouble[]
let made: MadeMerchant
let gatewayId: string
/** What happens while a command waits. */
let meanwhile: () => Promise<unknown>
beforeAll(async () => {
  service = await createTestService({ gatewayTimeoutMs: 5000 })
})
afterAll(() => service.close())
beforeEach(async () => {
  meanwhile = () => Promise.resolve()
  doubles = [
    await startAdyenDouble({ apiKey: 'an-api-key' }),
    await startAdyenDouble({ apiKey: 'an-api-key' }),
    await startAdyenDouble({ apiKey: 'an-api-key' }),
  ]
  made = await service.makeMerchant()
  const { said } = await run('gateways add --json', made.merchant.id, 'adyen', ...accountAt(0), '--default')
  gatewayId = /[\da-f]{24}/.exec(said)?.[0] ?? ''
})
afterEach(() => Promise.all(doubles.map((double) => double.close())))

const accountAt = (which: number) => ['--merchant-account', 'Acme', '--url', doubles[which]?.baseUrl ?? '']
function run(command: string, ...parameters: string[]) {
  return operate(service, command, parameters, {
    environment: { SVC_VAULT_KEYS: `test:${TEST_KEY.toString('base64')}` },
    secret: 'an-api-key',
    sleep: async () => {
      await meanwhile()
    },
  })
}
const changeTo = (which: number) => run('gateways change', made.merchant.id, gatewayId, ...accountAt(which))
const change = () => changeTo(1)
/** What another operator does once, while the first one's command waits. */
function otherOperator(act: () => Promise<unknown>) {
  meanwhile = async () => {
    meanwhile = () => Promise.resolve()
    await act()
  }
}
/** Says of a command that it has changed nothing, as another one was there first. */
function expectOvertaken({ code, complained }: Operated) {
  expect([code, complained]).toEqual([1, expect.stringMatching(/Another command has changed gateway/)])
}
/** Makes another gateway the default, so that this one can be removed. */
async function remove() {
  const sandbox = made.gatewayId ?? ''
  await service.database.script(`
    UPDATE gateways SET is_default = false WHERE id = '${gatewayId}';
    UPDATE gateways SET is_default = true WHERE id = '${sandbox}'`)
  return run('gateways remove', made.merchant.id, gatewayId)
}
/** Holds funds of a card with this name at the gateway, by one process of the service. */
async function sell(call: TestService['call'], name = 'Grace Hopper') {
  const card = { card_name: name, gateway_id: gatewayId }
  return call({
    method: 'POST',
    url: '/v1/charges?capture=false',
    headers: { 'x-user-secret-key': made.secretKey },
    payload: { amount: '10.00', currency: 'AUD', token: await service.tokenise(card, made) },
  })
}
const capture = (id: string) =>
  service.startAnother()({
    method: 'POST',
    url: `/v1/charges/${id}/capture`,
    headers: { 'x-user-secret-key': made.secretKey },
  })
/** Another process of the service, which has the account in memory. */
async function processWithAccount() {
  const process = service.startAnother()
  expect((await sell(process, 'REFUSE 12')).status).toBe(422)
  return process
}
const requestsAt = () => doubles.map(({ requests }) => requests.length)

describe('a gateway that gets another account', () => {
  it('takes payments at neither account until every process knows of the new one', async () => {
    const statuses: number[] = []
    meanwhile = async () => statuses.push((await sell(service.startAnother())).status)
    expect((await change()).code).toBe(0)
    statuses.push((await sell(service.startAnother())).status)
    expect([statuses, requestsAt()]).toEqual([
      [503, 201],
      [0, 1, 0],
    ])
  })
})

describe.each([
  ['gets another account', change],
  ['is removed', remove],
])('a gateway that %s while another operator changes it', (_, act) => {
  it('has the account that the other command gave it, and the first command says so', async () => {
    let held = ''
    otherOperator(async () => {
      expect((await changeTo(2)).code).toBe(0)
      held = chargeOf(await sell(service.startAnother()))._id
    })
    expectOvertaken(await act())
    expect((await capture(held)).status).toBe(201)
    expect(requestsAt()).toEqual([0, 0, 2])
  })

  it('keeps the account under the other command’s API key, and the first command says so', async () => {
    otherOperator(async () => {
      expect((await changeTo(0)).code).toBe(0)
    })
    expectOvertaken(await act())
    expect((await sell(service.startAnother())).status).toBe(201)
    expect(requestsAt()).toEqual([1, 0, 0])
  })

  it('is changed by the last command to take the account, once the other has ended and failed', async () => {
    let second: ReturnType<typeof run> | undefined
    meanwhile = () =>
      new Promise<void>((bothWait) => {
        meanwhile = () => {
          bothWait()
          return first
        }
        second = changeTo(2)
      })
    const first = act()
    expectOvertaken(await first)
    expect((await second)?.code).toBe(0)
    expect((await sell(service.startAnother())).status).toBe(201)
    expect(requestsAt()).toEqual([0, 0, 1])
  })
})

describe.each([
  ['gets another account', change],
  ['is removed', remove],
])('a gateway that %s', (_, act) => {
  it('may have failed payments, which stay to be read', async () => {
    const failed = await sell(await processWithAccount(), 'REFUSE 12')
    const { code, said } = await act()
    expect([code, said]).toEqual([0, expect.stringMatching(/is removed|has the new account/)])
    const url = `/v1/charges/${chargeOf(failed)._id}`
    const read = await service.call({ url, headers: { 'x-user-secret-key': made.secretKey } })
    expect(chargeOf(read)).toEqual(chargeOf(failed))
  })

  it('stays as it is if a process that did not know of the change took a payment', async () => {
    const process = await processWithAccount()
    let held = ''
    meanwhile = async () => {
      held = chargeOf(await sell(process))._id
    }
    const { code, complained } = await act()
    expect([code, complained]).toEqual([1, expect.stringMatching(/has taken payments/)])
    expect((await capture(held)).status).toBe(201)
    expect(requestsAt()).toEqual([3, 0, 0])
  })

  it('has its account again after an interrupted run, if a payment was taken meanwhile', async () => {
    const process = await processWithAccount()
    let held = ''
    meanwhile = async () => {
      held = chargeOf(await sell(process))._id
      throw new Error('interrupted')
    }
    expect((await act()).complained).toContain('svc: interrupted')
    expect((await capture(held)).status).toBe(503)
    expect((await act()).code).toBe(1)
    expect((await capture(held)).status).toBe(201)
  })

  it('does as it is told when it is run again after an interruption', async () => {
    meanwhile = () => Promise.reject(new Error('interrupted'))
    expect((await act()).complained).toContain('svc: interrupted')
    meanwhile = () => Promise.resolve()
    expect((await act()).code).toBe(0)
  })
})

it('a gateway whose account the command cannot read is not removed, as a service may use it', async () => {
  await service.database.script(`UPDATE gateways SET master_key_id = 'other' WHERE id = '${gatewayId}'`)
  const { code, complained } = await remove()
  expect([code, complained]).toEqual([1, expect.stringMatching(/master keys of the running services/)])
})
