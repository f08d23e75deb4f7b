import { createHttpClient } from '../../../../platform/outbound/http-client.ts'
import { authorise, cents, nextId } from '../../testing/gateway-bed.ts'
import type { BankBed, Break, GatewayBed } from '../../testing/gateway-bed.ts'
import type { DoubleFault } from '../../testing/double-faults.ts'
import { createStripeGateway } from '../stripe-gateway.ts'
import { startStripeDouble } from './stripe-double.ts'
import type { StripeDouble } from './stripe-double.ts'

export interface StripeBed extends GatewayBed {
  double: StripeDouble
  /** Pays, and has the card holder dispute it; the dispute's id. */
  dispute: () => Promise<string>
  /** What the adapter reported to the operator. */
  faults: Error[]
}

interface Setting {
  secretKey?: string
  accountId?: string
  mayAnswerDisputes?: boolean
  /** Where requests go, in place of straight to the double. */
  throughUrl?: string
}

const send = createHttpClient({ timeoutMs: 3000, maxBytes: 100_000, wants: 'whole answer', idleMs: 30_000 })

export const RIGHT_KEY = 'sk_test_right'

const FAULTS: Record<Exclude<Break, 'unreachable'>, DoubleFault> = {
  lost: 'silence before applying',
  unanswered: 'silence after applying',
}

/** The request that moves the money: a payment that has no card yet moves none. */
export const movesMoney = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path !== '/v1/payment_intents'

/** Any but the request that only prepares for the card. */
const isNotFirst = (request: { method: string; path: string }) =>
  request.method === 'GET' || movesMoney(request)

/** Stripe's adapter on its double. */
export async function openStripeBed({
  secretKey = RIGHT_KEY,
  accountId = 'acct_double',
  mayAnswerDisputes = true,
  throughUrl,
}: Setting = {}): Promise<StripeBed> {
  const double = await startStripeDouble({ secretKey: RIGHT_KEY, mayAnswerDisputes })
  const faults: Error[] = []
  const gatewayAt = (baseUrl: string) =>
    createStripeGateway({
      send,
      account: { api_key: secretKey, merchant_account: accountId, base_url: baseUrl },
      onFault: (error) => faults.push(error),
      settleMs: 180_000,
    })
  const bed: StripeBed = {
    double,
    faults,
    gateway: gatewayAt(throughUrl ?? double.baseUrl),
    declined: {
      do_not_honour: { card: { number: '4000000000000002' } },
      expired_card: { card: { number: '4000000000000069' } },
      invalid_transaction: { card: { number: '4242424242424241' } },
      insufficient_funds: { card: { number: '4000000000009995' } },
      suspected_fraud: { card: { number: '4100000000000019' } },
    },
    async meeting(kind, sendOrder) {
      if (kind !== 'unreachable') {
        double.breakNext(FAULTS[kind], isNotFirst)
        return sendOrder(cents('100.00'))
      }
      const { gateway } = bed
      bed.gateway = gatewayAt(await addressOfNobody())
      const answer = await sendOrder(cents('100.00'))
      bed.gateway = gateway
      return answer
    },
    async dispute() {
      const attemptId = nextId()
      await authorise(bed, cents('100.00'), attemptId, { capture: true })
      return double.disputes.open(attemptId)
    },
    booksOf: (attemptId) => Promise.resolve(double.ledger.booksOf(attemptId)),
    bank: bankBehind(double),
    refusesAtOnce: true,
    close: double.close,
  }
  return bed
}

/** The double's bank, by the number of the card. */
const bankBehind = ({ ledger }: StripeDouble): BankBed => ({
  asks: { card: { number: '4000002760003184' } },
  insists: { card: { number: '4000002500003155' } },
  hiddenFrame: null,
  visit: (attemptId, _, does) => Promise.resolve({ kind: 'returned', fields: ledger.visit(attemptId, does) }),
  forged: () => [
    { kind: 'returned', fields: {} },
    { kind: 'returned', fields: { payment_intent: 'pi_others', redirect_status: 'succeeded' } },
    { kind: 'method', completed: true },
  ],
})

/** The address of a server that has stopped. */
async function addressOfNobody(): Promise<string> {
  const { baseUrl, close } = await startStripeDouble({ secretKey: RIGHT_KEY })
  await close()
  return baseUrl
}
