import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServiceAtAdyen } from '../domains/gateways/testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from '../domains/gateways/testing/service-at-adyen.ts'
import { operate } from '../testing/operate.ts'
import { testStatement } from '../testing/test-statement.ts'
import { SIGNING_KEY, signedNotification } from '../domains/gateways/adyen/testing/signed-notification.ts'

let adyen: ServiceAtAdyen
beforeAll(async () => {
  adyen = await createServiceAtAdyen()
})
afterAll(() => adyen.close())

const svc = (command: string, parameters: string[], secret = '') =>
  operate(adyen.service, command, parameters, { secret })
const ids = () => [adyen.service.merchant.merchant.id, adyen.gatewayId]

const unknown = {
  eventCode: 'NEVER_HEARD_OF',
  eventDate: '2026-11-27T10:00:00+01:00',
  merchantAccountCode: 'Acme',
  merchantReference: 'order',
  originalReference: '',
  pspReference: 'MOVEMENT',
  paymentMethod: 'visa',
  amount: { currency: 'AUD', value: 1000 },
  reason: '',
  success: 'true',
} as const

describe('svc notifications', () => {
  it('lists those of one state, and has one worked off again', async () => {
    await adyen.tell([unknown])
    const { said } = await svc('notifications list', ['--state', 'not_understood'])
    const [id = ''] = said.split('  ')
    expect(said).toContain('NEVER_HEARD_OF')
    expect(await svc('notifications replay', [id])).toMatchObject({ code: 0 })
    expect((await svc('notifications list', ['--state', 'waiting'])).said).toContain(id)
    await adyen.service.runJob('hear gateways')
    expect((await svc('notifications list', ['--state', 'waiting'])).complained).toBe(
      'No notification is waiting.',
    )
    const { said: json } = await svc('notifications list', ['--state', 'not_understood', '--json'])
    expect(JSON.parse(json)).toMatchObject({ notifications: [{ id, sent: { pspReference: 'MOVEMENT' } }] })
  })

  it('dismisses what a person has seen to, once, with an event that tells who', async () => {
    await adyen.tell([{ ...unknown, pspReference: 'DISMISSED' }])
    const { said } = await svc('notifications list', ['--state', 'not_understood'])
    const [id = ''] = said.split('  ')
    expect(await svc('notifications dismiss', [id])).toMatchObject({ code: 0 })
    expect((await svc('notifications list', ['--state', 'not_understood'])).said).not.toContain(id)
    expect((await svc('notifications list', ['--state', 'done'])).said).toContain(id)
    const again = await svc('notifications dismiss', [id])
    expect([again.code, again.complained]).toEqual([
      1,
      `svc: There is no notification ${id} that waits for a person: svc notifications list shows which do.`,
    ])
    const events = testStatement<{ actor: string; facts: object }>(
      't_dismissals',
      "SELECT actor, facts FROM event_outbox WHERE type = 'gateway.notification_dismissed'",
    )
    const [event] = await adyen.service.database.run(events, [])
    expect(event?.actor).toMatch(/^operator:/)
    expect(event?.facts).toMatchObject({ id: adyen.gatewayId, notification_id: id, charge_id: null })
  })

  it('replays none that there is not', async () => {
    expect(await svc('notifications replay', ['nothing'])).toMatchObject({
      code: 1,
      complained: 'svc: There is no notification nothing.',
    })
  })
})

describe('svc gateways notifications', () => {
  it('shows the password once, and takes the key by which the gateway signs', async () => {
    const again = await svc('gateways notifications', ids())
    expect(again).toMatchObject({ code: 1 })
    expect(again.complained).toContain('--new-password')
    const { said } = await svc('gateways notifications', [...ids(), '--new-password', '--json'])
    expect(said).toContain(`/gateways/${adyen.gatewayId}/notifications"`)
    const key = SIGNING_KEY.replaceAll('4', '5')
    expect(await svc('gateways notifications', [...ids(), '--signing-key'], key)).toMatchObject({ code: 0 })
    const [, user = '', password = ''] = /"user": "(.*)",\s+"password": "(.*)"/.exec(said) ?? []
    const { headers, body } = signedNotification([unknown], { signingKeys: [key], user, password })
    const url = `/gateways/${adyen.gatewayId}/notifications`
    await expect
      .poll(
        async () => (await adyen.service.raw({ method: 'POST', url, headers, payload: body })).statusCode,
        {
          timeout: 10_000,
          interval: 500,
        },
      )
      .toBe(200)
  })

  it('refuses what is no key without repeating it, and gateways that send none', async () => {
    const wrong = await svc('gateways notifications', [...ids(), '--signing-key'], 'no key at all')
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.complained).not.toContain('no key at all')
    const gateways = await adyen.service.merchants.gateways(adyen.service.merchant.merchant.id)
    const sandbox = gateways.find(({ type }) => type === 'sandbox')?.id ?? ''
    const [merchantId = ''] = ids()
    expect((await svc('gateways notifications', [merchantId, sandbox])).complained).toContain(
      'it sends no notifications',
    )
    expect(await svc('gateways notifications', [merchantId, 'unknown'])).toMatchObject({ code: 1 })
  })
})
