import * as v from 'valibot'
import { DisputeResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import { chargeCalls, chargeOf, sendWithKeys } from '../../../testing/charge-calls.ts'
import { operate } from '../../../testing/operate.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { startAdyenDouble } from '../adyen/testing/adyen-double.ts'
import { SIGNING_KEY, signedNotification } from '../adyen/testing/signed-notification.ts'
import { signedEvent } from '../stripe/testing/dispute-ledger.ts'
import { startStripeDouble } from '../stripe/testing/stripe-double.ts'
import type { DoubleServer } from './double-server.ts'

/** A notification as a gateway sends it. */
interface Sent {
  headers: Record<string, string>
  body: string
}

/** Disputes at the double of a gateway. */
interface Side {
  type: string
  credentials: object
  signingKey: string
  /** Has the card holder dispute what an attempt paid; the gateway's id of the dispute. */
  open: (attemptId: string) => string
  /** Decides a dispute that was defended. */
  rule: (id: string, ruling: 'won' | 'lost') => void
  /** Takes what it has to tell of disputes, each in a notification of its own. */
  tell: (secrets: { user: string; password: string }) => Sent[]
  /** How often a dispute was answered, and the files that came with it. */
  answersOf: (id: string) => { answers: number; documents: ReadonlyMap<string, Buffer> }
  /** A defence that the gateway offers, and the type of a document that is enough for it. */
  defence: { code: string; document: string }
  breakNext: DoubleServer['breakNext']
  close: () => Promise<void>
}

/** The gateways whose disputes are answered, by name. */
export const DISPUTE_SIDES = ['Adyen', 'Stripe'] as const

const sides: Readonly<Record<(typeof DISPUTE_SIDES)[number], () => Promise<Side>>> = {
  async Adyen() {
    const { ledger, disputes, baseUrl, breakNext, close } = await startAdyenDouble({ apiKey: 'right' })
    return {
      ...{ type: 'adyen', signingKey: SIGNING_KEY, breakNext, close },
      credentials: { api_key: 'right', merchant_account: 'Acme', base_url: baseUrl },
      open: (attemptId) => disputes.open(attemptId, { code: '13.1' }),
      rule: disputes.rule,
      answersOf: disputes.of,
      tell: (secrets) =>
        ledger.told
          .splice(0)
          .map((item) => signedNotification([item], { signingKeys: [SIGNING_KEY], ...secrets })),
      defence: { code: 'GoodsNotReturned', document: 'GoodsNotReturned' },
    }
  },
  async Stripe() {
    const [secretKey, accountId, signingKey] = ['sk_test_right', 'acct_double', 'whsec_0123456789abcdef']
    const { disputes, baseUrl, breakNext, close } = await startStripeDouble({ secretKey, accountId })
    return {
      ...{ type: 'stripe', signingKey, breakNext, close },
      credentials: { api_key: secretKey, merchant_account: accountId, base_url: baseUrl },
      open: (attemptId) => disputes.open(attemptId, { code: '13.1' }),
      rule: disputes.rule,
      answersOf: disputes.of,
      tell: () => disputes.told.splice(0).map((event) => signedEvent(event, signingKey)),
      defence: { code: 'evidence', document: 'shipping_documentation' },
    }
  },
}

const Shown = v.object({ user: v.optional(v.string(), ''), password: v.optional(v.string(), '') })
const makeDue = testStatement(
  't_due_news_of_disputes',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)
const makeAnswersDue = testStatement(
  't_due_answers_to_disputes',
  `UPDATE disputes SET send_after = now() - interval '1 second' WHERE send_after IS NOT NULL`,
)

export interface DisputesAt extends Pick<Side, 'rule' | 'answersOf' | 'defence' | 'breakNext'> {
  service: TestService
  send: ReturnType<typeof sendWithKeys>
  /** Pays 100.00, has the card holder dispute it, and tells nothing of it yet. */
  dispute: () => Promise<{ chargeId: string; externalId: string }>
  /** What the gateway has to tell. */
  tell: () => Sent[]
  /** Sends notifications, and has them worked off; their statuses. */
  hear: (sent: readonly Sent[]) => Promise<number[]>
  /** Has answers sent that are due, those that were put off too. */
  sendAnswers: () => Promise<void>
  disputesOf: (chargeId: string) => Promise<DisputeResource[]>
  close: () => Promise<void>
}

/** A service whose merchant has a gateway at a stand-in for a real one, where card holders dispute. */
export async function createDisputesAt(name: (typeof DISPUTE_SIDES)[number]): Promise<DisputesAt> {
  const side = await sides[name]()
  const service = await createTestService({ gatewayTimeoutMs: 5000 })
  const send = sendWithKeys(service)
  const gateway = { name, type: side.type, isDefault: true, credentials: side.credentials }
  const gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
  const ids = [service.merchant.merchant.id, gatewayId]
  const { said } = await operate(service, 'gateways notifications', [...ids, '--json'])
  const secrets = v.parse(Shown, JSON.parse(said))
  await operate(service, 'gateways notifications', [...ids, '--signing-key'], { secret: side.signingKey })
  const { rule, answersOf, defence, breakNext } = side
  return {
    ...{ service, send, rule, answersOf, defence, breakNext },
    tell: () => side.tell(secrets),
    async dispute() {
      const token = await service.tokenise({ gateway_id: gatewayId })
      const sold = await chargeCalls(service).sell({ amount: '100.00', currency: 'AUD', token }, '')
      const charge = chargeOf(sold)
      side.tell(secrets)
      return { chargeId: charge._id, externalId: side.open(charge.transactions[0]?._id ?? '') }
    },
    async hear(sent) {
      const statuses: number[] = []
      for (const { headers, body: payload } of sent) {
        const url = `/gateways/${gatewayId}/notifications`
        statuses.push((await service.raw({ method: 'POST', url, headers, payload })).statusCode)
      }
      for (let round = 0; round < 2; round += 1) {
        await service.database.run(makeDue, [])
        await service.runJob('hear gateways')
      }
      return statuses
    },
    async sendAnswers() {
      await service.database.run(makeAnswersDue, [])
      await service.runJob('send answers to disputes')
      await service.jobs.find((job) => job.name === 'send answers to disputes')?.finish?.()
    },
    async disputesOf(chargeId) {
      const { body } = await send('GET', `/v1/disputes?charge_id=${chargeId}`)
      return v.parse(v.array(DisputeResource), body.resource.data)
    },
    async close() {
      await service.close()
      await side.close()
    },
  }
}
