import type { NewEvent } from '../../../platform/add-event.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import type { Session } from '../../../platform/http/callers/session.ts'
import { toAmount } from '../../../platform/money.ts'
import type { ChargeSearch } from '../search/charge-filter.ts'

/** The event of an export: who exported charges, from which address, and by which filters. */
export function exportEvent(
  session: Pick<Session, 'merchantId' | 'user'>,
  address: string,
  { q, status, scheme, gatewayId, amountFrom, amountTo, from, to }: ChargeSearch,
): NewEvent {
  const filters = {
    search: q,
    status,
    scheme,
    gateway_id: gatewayId,
    amount_from: amountFrom === null ? null : toAmount(amountFrom).toFixed(2),
    amount_to: amountTo === null ? null : toAmount(amountTo).toFixed(2),
    created_from: from?.toISOString() ?? null,
    created_to: to?.toISOString() ?? null,
  }
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  const { merchantId } = session
  const facts = { address, ...set }
  return { merchantId, type: 'charges.exported', subject: merchantId, actor: actorOf(session), facts }
}
