import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { startAdyenDouble } from '../adyen/testing/adyen-double.ts'
import type { AdyenDouble } from '../adyen/testing/adyen-double.ts'

export interface ServiceAtAdyen {
  service: TestService
  calls: ChargeCalls
  double: AdyenDouble
  /** Holds 100.00 there. */
  hold: () => Promise<ChargeResource>
  close: () => Promise<void>
}

/** A service whose merchant has a gateway at a stand-in for Adyen. */
export async function createServiceAtAdyen(): Promise<ServiceAtAdyen> {
  const double = await startAdyenDouble({ apiKey: 'right' })
  const service = await createTestService({ gatewayTimeoutMs: 5000 })
  const calls = chargeCalls(service)
  const credentials = { api_key: 'right', merchant_account: 'Acme', base_url: double.baseUrl }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials }
  const gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
  return {
    service,
    calls,
    double,
    hold: async () => {
      const token = await service.tokenise({ gateway_id: gatewayId })
      return chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }))
    },
    close: async () => {
      await service.close()
      await double.close()
    },
  }
}
