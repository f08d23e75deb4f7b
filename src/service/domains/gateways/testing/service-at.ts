import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestOptions } from '../../../testing/test-options.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { startAdyenDouble } from '../adyen/testing/adyen-double.ts'
import { movesMoney } from '../stripe/testing/stripe-bed.ts'
import { startStripeDouble } from '../stripe/testing/stripe-double.ts'
import { createSandboxGateway } from '../sandbox-gateway.ts'
import { cents, follow } from './gateway-bed.ts'
import type { AtBank, Books } from './gateway-bed.ts'
import type { DoubleFault } from './double-faults.ts'
import { sandboxBooksOf, visitSandboxBank } from './sandbox-bed.ts'

/** What somebody may do at the gateway itself, of which the service does not hear. */
export type Hand = 'captures' | 'cancels' | 'refunds'

/** A gateway that a test service's merchant uses, by its own side. */
export interface GatewaySide {
  gatewayId: string
  booksOf: (attemptId: string) => Promise<Books[]>
  byHand: (charge: ChargeResource, what: Hand, cents: number) => unknown
  /** The next request that moves money meets a fault; with `anyRequest`, also one that only prepares for that. */
  breakNext: (fault: DoubleFault, options?: { anyRequest: boolean }) => void
  heal: () => void
  /** The card holders' bank; null where the gateway's side has none that a test can act for. */
  bank: BankSide | null
  close: () => Promise<void>
}

/** A bank by the fields of a card: one whose holder is asked, and one that begins by a hidden frame; null if no such frame is shown. */
export interface BankSide {
  asks: object
  hiddenFrame: object | null
  /** The card holder ends the bank's page of a sale; what comes back by the browser. */
  visit: (
    attemptId: string,
    does: AtBank,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

export const GATEWAYS = ['the sandbox', 'Adyen', 'Stripe'] as const
export type GatewayName = (typeof GATEWAYS)[number]

export interface ServiceAt extends GatewaySide {
  service: TestService
  calls: ChargeCalls
  /** Holds 100.00 there. */
  hold: () => Promise<ChargeResource>
}

/** A service whose merchant has a gateway: the sandbox, or a stand-in for a real one. */
export async function createServiceAt(
  name: GatewayName,
  options: TestOptions = { gatewayTimeoutMs: 5000 },
): Promise<ServiceAt> {
  const service = await createTestService(options)
  const calls = chargeCalls(service)
  const side = await sides[name](service)
  return {
    ...side,
    service,
    calls,
    hold: async () => {
      const token = await service.tokenise({ gateway_id: side.gatewayId })
      return chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }))
    },
    close: async () => {
      await service.close()
      await side.close()
    },
  }
}

const BY_HAND = 'by hand'
const ACCOUNT = 'acct_double'

/** Connects a test service's merchant with a gateway. */
export const sides: Readonly<Record<GatewayName, (service: TestService) => Promise<GatewaySide>>> = {
  'the sandbox': ({ database }) => {
    const gateway = createSandboxGateway(database, 60)
    const verbs = { captures: 'capture', cancels: 'cancel', refunds: 'refund' } as const
    return Promise.resolve({
      gatewayId: 'default',
      booksOf: (attemptId: string) => sandboxBooksOf(database, attemptId),
      async byHand({ external_id: id }: ChargeResource, what: Hand, value: number) {
        const sale = { id: id ?? '', amount: cents('100.00'), capture: false, ageMs: 0 }
        const amount = cents((value / 100).toFixed(2))
        await gateway[verbs[what]](follow(sale, amount))
      },
      breakNext: () => undefined,
      heal: () => undefined,
      bank: {
        asks: { card_number: '4970110000001011' },
        hiddenFrame: { card_number: '4970110000002027' },
        visit: async (attemptId: string, does: AtBank) => ({
          ...(await visitSandboxBank(database, attemptId, does)),
        }),
      },
      close: () => Promise.resolve(),
    })
  },
  async Adyen(service) {
    const double = await startAdyenDouble({ apiKey: 'right' })
    const gatewayId = await addGateway(service, 'adyen', {
      api_key: 'right',
      merchant_account: 'Acme',
      base_url: double.baseUrl,
    })
    return {
      gatewayId,
      booksOf: (attemptId) => Promise.resolve(double.ledger.booksOf(attemptId)),
      byHand({ external_id: id }, what, value) {
        const body = { merchantAccount: 'Acme', reference: BY_HAND }
        const amount = { currency: 'AUD', value }
        double.ledger.apply(`/payments/${id}/${what}`, what === 'cancels' ? body : { ...body, amount })
      },
      breakNext: (fault) => double.breakNext(fault),
      heal: double.heal,
      bank: {
        asks: { card_name: 'BANK challenge' },
        hiddenFrame: { card_name: 'BANK methodchallenge' },
        visit: double.ledger.bank.visit,
      },
      close: double.close,
    }
  },
  async Stripe(service) {
    const double = await startStripeDouble({ secretKey: 'sk_test_right', accountId: ACCOUNT })
    const gatewayId = await addGateway(service, 'stripe', {
      api_key: 'sk_test_right',
      merchant_account: ACCOUNT,
      base_url: double.baseUrl,
    })
    const { apply } = double.ledger
    const orders = {
      captures: (id: string, value: string) =>
        apply('POST', `/v1/payment_intents/${id}/capture`, { amount_to_capture: value }),
      cancels: (id: string) => apply('POST', `/v1/payment_intents/${id}/cancel`, {}),
      refunds: (id: string, value: string) =>
        apply('POST', '/v1/refunds', { payment_intent: id, amount: value }),
    }
    return {
      gatewayId,
      booksOf: (attemptId) => Promise.resolve(double.ledger.booksOf(attemptId)),
      byHand({ external_id: id }, what, value) {
        orders[what](id ?? '', String(value))
      },
      breakNext: (fault, { anyRequest } = { anyRequest: false }) =>
        double.breakNext(fault, anyRequest ? undefined : movesMoney),
      heal: double.heal,
      bank: {
        asks: { card_number: '4000002760003184' },
        hiddenFrame: null,
        visit: double.ledger.visit,
      },
      close: double.close,
    }
  },
}

async function addGateway(
  { merchants, merchant }: TestService,
  type: string,
  credentials: object,
): Promise<string> {
  const gateway = { name: type, type, isDefault: false, credentials }
  return (await merchants.addGateway(merchant.merchant.id, gateway)) ?? ''
}
