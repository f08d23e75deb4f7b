import { randomUUID } from 'node:crypto'
import { authorise, cents, nextId } from '../../testing/gateway-bed.ts'
import type { BankBed, Break, GatewayBed } from '../../testing/gateway-bed.ts'
import { createHttpClient } from '../../../../platform/outbound/http-client.ts'
import { createAdyenGateway } from '../adyen-gateway.ts'
import { startAdyenDouble } from './adyen-double.ts'
import type { AdyenDouble } from './adyen-double.ts'
import type { DoubleFault } from '../../testing/double-faults.ts'

export interface AdyenBed extends GatewayBed {
  double: AdyenDouble
  /** Pays, and has the card holder dispute it; the dispute's id. */
  dispute: () => Promise<string>
  /** What the adapter reported to the operator. */
  faults: Error[]
}

interface Setting {
  keepsRefusals?: boolean
  mayAnswerDisputes?: boolean
  apiKey?: string
  /** Where requests go, in place of straight to the double. */
  throughUrl?: (baseUrl: string) => Promise<string>
}

const sendRequest = createHttpClient({
  timeoutMs: 3000,
  maxBytes: 100_000,
  wants: 'whole answer',
  idleMs: 30_000,
})

const FAULTS: Record<Exclude<Break, 'unreachable'>, DoubleFault> = {
  lost: 'silence before applying',
  unanswered: 'silence after applying',
}

/** Adyen's adapter on its double. */
export async function openAdyenBed({
  keepsRefusals = true,
  mayAnswerDisputes = true,
  apiKey = 'right',
  throughUrl,
}: Setting = {}): Promise<AdyenBed> {
  const double = await startAdyenDouble({ apiKey: 'right', keepsRefusals, mayAnswerDisputes })
  const faults: Error[] = []
  const gatewayAt = (baseUrl: string) =>
    createAdyenGateway({
      sendRequest,
      account: { api_key: apiKey, merchant_account: 'Acme', base_url: baseUrl },
      returnUrl: 'https://pay.example.com',
      createKey: randomUUID,
      onFault: (error) => faults.push(error),
    })
  const bed: AdyenBed = {
    double,
    faults,
    gateway: gatewayAt((await throughUrl?.(double.baseUrl)) ?? double.baseUrl),
    declined: {
      do_not_honour: { card: { name: 'REFUSE 2' } },
      expired_card: { card: { name: 'REFUSE 6' } },
      invalid_transaction: { card: { name: 'REFUSE 8' } },
      insufficient_funds: { card: { name: 'REFUSE 12' } },
      suspected_fraud: { card: { name: 'REFUSE 20' } },
    },
    async meeting(kind, send) {
      if (kind !== 'unreachable') {
        double.breakNext(FAULTS[kind])
        return send(cents('100.00'))
      }
      const { gateway } = bed
      bed.gateway = gatewayAt(await addressOfNobody())
      const answer = await send(cents('100.00'))
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
    refusesAtOnce: false,
    close: double.close,
  }
  return bed
}

/** The double's bank, by the name on the card. */
const bankBehind = ({ ledger: { bank } }: AdyenDouble): BankBed => ({
  asks: { card: { name: 'BANK challenge' } },
  insists: { card: { name: 'BANK insists' } },
  hiddenFrame: { card: { name: 'BANK methodchallenge' } },
  visit: (attemptId, _, does) => Promise.resolve({ kind: 'returned', fields: bank.visit(attemptId, does) }),
  forged: () => [
    { kind: 'returned', fields: {} },
    { kind: 'returned', fields: { cres: 'e30' } },
    { kind: 'returned', fields: { cres: forgedAnswer, redirectResult: 'X6XtfGC3!Y' } },
  ],
})

/** The last word of a bank about another payment. */
const forgedAnswer = Buffer.from(
  JSON.stringify({ threeDSServerTransID: randomUUID(), acsTransID: randomUUID(), transStatus: 'Y' }),
).toString('base64url')

/** The address of a server that has stopped. */
async function addressOfNobody(): Promise<string> {
  const { baseUrl, close } = await startAdyenDouble({ apiKey: 'right' })
  await close()
  return baseUrl
}
