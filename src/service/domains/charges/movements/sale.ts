import type { ChargeRequest } from '../../../../contract/api/charges/charge-request.ts'
import { NO_GATEWAY, ServiceError } from '../../../platform/errors.ts'
import type { SaleOperation } from '../../gateways/gateway.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { InSameTransaction } from '../statements/begin-together.ts'
import type { Caller } from '../caller.ts'
import type { ChargeStore } from '../charge-store.ts'
import { decideSale } from '../decide.ts'
import { openAttempt } from './movements.ts'
import type { Movements } from './movements.ts'
import type { Movement } from './record-outcome.ts'
import { toNewCharge } from './new-charge.ts'
import type { ChargeToken, PaymentGateway } from './new-charge.ts'

export interface SaleParts {
  store: ChargeStore
  movements: Movements
  createId: CreateId
  findToken: (token: string) => Promise<LookedUpToken>
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<PaymentGateway | null>
  /** What answers a token that was taken in the meantime. */
  tokenNotFound: () => ServiceError
}

/** A token that was looked for; it opens for its own merchant alone, and throws `token_not_found` for others. */
export interface LookedUpToken {
  openFor: (merchantId: string) => Promise<ChargeToken>
}

/**
 * Holds the funds of a card, or takes them at once when `capture` is true. `alreadyRead`: its token, where that was
 * looked up before. `inSameTransaction` commits with its beginning, or neither does.
 */
export type Sell = (
  caller: Caller,
  request: ChargeRequest,
  capture: boolean,
  options?: { alreadyRead?: LookedUpToken; inSameTransaction?: InSameTransaction },
) => Promise<Movement>

export function createSell(parts: SaleParts): Sell {
  const { store, movements, createId, findToken, tokenNotFound } = parts
  return async ({ merchant, userId, sourceIp, idempotentRequest }, request, capture, options = {}) => {
    decideSale(merchant, capture)
    const found = options.alreadyRead ?? (await findToken(request.token))
    const token = await found.openFor(merchant.id)
    const gateway = await gatewayFor(parts, merchant.id, token)
    const attempt = {
      id: createId(),
      type: 'sale',
      reason: null,
      reference: null,
      amount: request.amount,
      userId,
      sourceIp,
      idempotentRequest,
    } as const
    const fresh = toNewCharge({ id: createId(), merchant, request, token, gateway, capture, attempt })
    const written = await store.beginSale(fresh, attempt, options.inSameTransaction ?? null)
    if (written === null) throw tokenNotFound()
    const { createdAt, version } = written
    const open = openAttempt(attempt, createdAt)
    const times = { createdAt, updatedAt: createdAt, isHoldOver: false, ageMs: 0 }
    const charge = { ...fresh, ...times, version, attempts: [open] }
    const { amount, currency } = request
    return movements.send(charge, open, (adapter, signal) =>
      adapter.sell({ attemptId: open.id, amount, currency, signal, card: cardOf(token), capture }),
    )
  }
}

async function gatewayFor(
  { gatewayOf }: SaleParts,
  merchantId: string,
  token: ChargeToken,
): Promise<PaymentGateway> {
  const gateway = await gatewayOf(merchantId, token.gatewayId ?? 'default')
  if (gateway === null) throw new ServiceError('gateway_not_found', wordsFor(token))
  return gateway
}

function wordsFor({ gatewayId }: ChargeToken): string {
  const isChosen = gatewayId !== null && gatewayId !== 'default'
  return isChosen
    ? "The gateway of this token was removed. Collect the card again, with another of the merchant's gateways."
    : NO_GATEWAY
}

function cardOf({ facts, secrets }: ChargeToken): SaleOperation['card'] {
  return {
    ...secrets,
    name: facts.card_name,
    expireMonth: facts.expire_month,
    expireYear: facts.expire_year,
  }
}
