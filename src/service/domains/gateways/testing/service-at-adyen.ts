import type { LightMyRequestResponse } from 'fastify'
import * as v from 'valibot'
import { operate } from '../../../testing/operate.ts'
import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { startAdyenDouble } from '../adyen/testing/adyen-double.ts'
import type { AdyenDouble } from '../adyen/testing/adyen-double.ts'
import type { ToldItem } from '../adyen/testing/double-ledger.ts'
import { SIGNING_KEY, signedNotification } from '../adyen/testing/signed-notification.ts'

/** What the command shows that sets notifications up. */
const Shown = v.object({ user: v.string(), password: v.string() })

/** What is changed of a notification after it was signed. */
interface NotificationChange {
  gatewayId?: string
  headers?: Record<string, string>
  body?: (body: string) => string
}

export interface ServiceAtAdyen {
  service: TestService
  calls: ChargeCalls
  double: AdyenDouble
  gatewayId: string
  /** Holds 100.00 there. */
  hold: () => Promise<ChargeResource>
  /** Takes 100.00 there at once. */
  sell: () => Promise<ChargeResource>
  /** Sends what the double has to tell, in one notification, or other items in its place; signed, unless headers or body are changed. */
  notify: (items?: readonly ToldItem[], change?: NotificationChange) => Promise<LightMyRequestResponse>
  /** The same, and has it worked off. */
  tell: (items?: readonly ToldItem[]) => Promise<void>
  close: () => Promise<void>
}

/** A service whose merchant has a gateway at a stand-in for Adyen. */
export async function createServiceAtAdyen(settings: Record<string, string> = {}): Promise<ServiceAtAdyen> {
  const double = await startAdyenDouble({ apiKey: 'right' })
  const service = await createTestService({ gatewayTimeoutMs: 5000, settings })
  const calls = chargeCalls(service)
  const credentials = { api_key: 'right', merchant_account: 'Acme', base_url: double.baseUrl }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials }
  const gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
  const ids = [service.merchant.merchant.id, gatewayId]
  const { said } = await operate(service, 'gateways notifications', [...ids, '--json'])
  const { user, password } = v.parse(Shown, JSON.parse(said))
  await operate(service, 'gateways notifications', [...ids, '--signing-key'], { secret: SIGNING_KEY })
  const secrets = { signingKeys: [SIGNING_KEY], user, password }
  const authorise = async (query?: string) => {
    const token = await service.tokenise({ gateway_id: gatewayId })
    return chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }, query))
  }
  const notify: ServiceAtAdyen['notify'] = (items = double.ledger.told.splice(0), change = {}) => {
    const { headers, body } = signedNotification(items, secrets)
    return service.raw({
      method: 'POST',
      url: `/gateways/${change.gatewayId ?? gatewayId}/notifications`,
      headers: { ...headers, ...change.headers },
      payload: change.body?.(body) ?? body,
    })
  }
  return {
    service,
    calls,
    double,
    gatewayId,
    hold: () => authorise(),
    sell: () => authorise(''),
    notify,
    async tell(items) {
      const { statusCode, body } = await notify(items)
      if (statusCode !== 200) throw new Error(`refused: ${body}`)
      await service.runJob('hear gateways')
    },
    close: async () => {
      await service.close()
      await double.close()
    },
  }
}
