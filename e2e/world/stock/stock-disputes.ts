import * as v from 'valibot'
import type { DashboardApi } from '../dashboard-api.ts'
import type { MerchantServer } from '../merchant-server.ts'
import { LONG_REFERENCE } from './long-texts.ts'

/** A file that is a whole PDF, and nothing more. */
export const PDF = Buffer.from('%PDF-1.4\n%%EOF\n')

const Disputes = v.array(v.object({ status: v.string() }))

/** Makes disputes: one that has a file of its defence, and one that was defended and lost. Returns their ids, and that of the first's charge. */
export async function stockDisputes(server: MerchantServer, api: DashboardApi) {
  const disputed = await server.charge({ amount: '9000.44', reference: 'MF-10460' })
  const lost = await server.charge({ amount: '9000.42', reference: 'MF-10461' })
  await server.charge({ amount: '9000.43', reference: 'MF-10462' })
  const [dispute, endedDispute] = [await disputeOf(api, disputed), await disputeOf(api, lost)]
  await addDelivery(api, dispute, `${LONG_REFERENCE}.pdf`.slice(-100))
  await addDelivery(api, endedDispute, 'delivery.pdf')
  await api.change('POST', `/v1/disputes/${endedDispute}/defend`, { defence: 'goods_or_services_provided' })
  await api.until(Disputes, `/v1/disputes?charge_id=${lost}`, ([one]) => one?.status === 'lost')
  return { disputed, dispute, endedDispute }
}

/** The id of a charge's dispute, once its card holder disputes it. */
export async function disputeOf(api: DashboardApi, chargeId: string): Promise<string> {
  const path = `/v1/disputes?charge_id=${chargeId}`
  await api.until(Disputes, path, (all) => all.length > 0)
  return api.idOfFirst(path)
}

/** Gives a dispute a file that proves the delivery. */
export async function addDelivery(api: DashboardApi, disputeId: string, name: string): Promise<void> {
  await api.change('POST', `/v1/disputes/${disputeId}/documents`, {
    type: 'proof_of_delivery',
    name,
    content_type: 'application/pdf',
    content: PDF.toString('base64'),
  })
}
