import type { TestService } from '../../../testing/test-service.ts'
import { keepNews, recordHeard } from '../notification-store.ts'

/** A kept notification that contradicts a charge of the service's own merchant; returns its id. */
export async function notificationToSee(service: TestService, id: string, chargeId: string): Promise<string> {
  const merchantId = service.merchant.merchant.id
  const [gateway] = await service.merchants.gateways(merchantId)
  const account = { gatewayId: gateway?.id ?? '', gatewayType: 'sandbox', merchantId }
  const movement = { attemptId: null, saleId: null, externalId: id, amount: null, currency: null }
  const says = { kind: 'unknown', why: 'No capture of this amount is known.' } as const
  const news = {
    key: id,
    name: 'CAPTURE',
    at: new Date('2026-11-27T10:00:00.000Z'),
    ...movement,
    says,
    sent: {},
  }
  await keepNews(service.database, id, account, news)
  await recordHeard(service.database, { id }, { state: 'unexplained', why: says.why, chargeId })
  return id
}
