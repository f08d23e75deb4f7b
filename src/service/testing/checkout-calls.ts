import * as v from 'valibot'
import { CheckoutResource, CheckoutWithJourney } from '../../contract/api/checkouts/checkout-resource.ts'
import { CheckoutPayment, CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'
import { TokenResource } from '../../contract/api/charges/payment-source-token.ts'
import { testCard } from './test-card.ts'
import type { Answer, TestService } from './test-service.ts'
import { testStatement } from './test-statement.ts'

type Checkout = v.InferOutput<typeof CheckoutResource>

/** A new checkout, with the token that its page gets. */
export type MadeCheckout = Checkout & { token: string }

/** The calls of a merchant's server and of the page of an intent's token. */
export interface CheckoutCalls {
  secret: () => { 'x-user-secret-key': string }
  ask: (request: object, headers?: Record<string, string>) => Promise<Answer>
  make: (request?: object) => Promise<MadeCheckout>
  read: (id: string) => Promise<v.InferOutput<typeof CheckoutWithJourney>>
  cancel: (id: string) => Promise<Answer>
  makeTemplate: (type: string, content: object, version?: number) => Promise<string>
  session: (token: string) => Promise<Answer>
  tokenise: (token: string, card?: object) => Promise<string>
  pay: (token: string, paymentSource: string, call?: TestService['call']) => Promise<Answer>
  /** Returns a result, and the charges that were made meanwhile. */
  chargesBeside: <Result>(work: () => Promise<Result>) => Promise<[Result, { status: string }[]]>
  stepsOf: (id: string) => Promise<string[]>
  /** Makes a checkout so old that it has expired. */
  endTime: (id: string) => Promise<unknown>
  /** Makes a checkout this many minutes older. */
  age: (id: string, minutes: number) => Promise<unknown>
}

const Made = v.object({ _id: v.string() })
const Charges = v.array(v.object({ _id: v.string(), status: v.string() }))
const age = testStatement(
  't_age_checkout',
  'UPDATE checkout_intents SET created_at = created_at - make_interval(mins => $2) WHERE id = $1',
)
const endTime = testStatement('t_end_time', 'UPDATE checkout_intents SET expires_at = now() WHERE id = $1')

/** A card's date that the sandbox declines. */
export const declined = { expire_month: '05' }

export const sessionOf = ({ body }: Answer): CheckoutSession => v.parse(CheckoutSession, body.resource.data)
export const paymentOf = ({ body }: Answer): CheckoutPayment => v.parse(CheckoutPayment, body.resource.data)

export function checkoutCalls(service: TestService): CheckoutCalls {
  const secret = () => ({ 'x-user-secret-key': service.merchant.secretKey })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const ask: CheckoutCalls['ask'] = (request, headers) =>
    service.call({
      method: 'POST',
      url: '/v1/checkouts/intent',
      headers: { ...secret(), ...headers },
      payload: request,
    })
  const read: CheckoutCalls['read'] = async (id) => {
    const { body } = await service.call({ url: `/v1/checkouts/${id}`, headers: secret() })
    return v.parse(CheckoutWithJourney, body.resource.data)
  }
  return {
    secret,
    ask,
    async make(request = {}) {
      const { body } = await ask({ version: 1, amount: '10.00', ...request })
      return v.parse(v.strictObject({ ...CheckoutResource.entries, token: v.string() }), body.resource.data)
    },
    read,
    cancel: (id) => service.call({ method: 'DELETE', url: `/v1/checkouts/${id}`, headers: secret() }),
    async makeTemplate(type, content, version = 1) {
      const { body } = await service.call({
        method: 'POST',
        url: `/v1/checkouts/templates?type=${type}`,
        headers: secret(),
        payload: { version, content },
      })
      return v.parse(Made, body.resource.data)._id
    },
    session: (token) => service.call({ url: '/v1/checkouts/session', headers: bearer(token) }),
    async tokenise(token, card = {}) {
      const { body } = await service.call({
        method: 'POST',
        url: '/v1/payment_sources/tokens',
        headers: bearer(token),
        payload: { ...testCard, ...card },
      })
      return v.parse(TokenResource, body.resource).data
    },
    pay: (token, paymentSource, call = service.call) =>
      call({
        method: 'POST',
        url: '/v1/checkouts/session/payments',
        headers: bearer(token),
        payload: { payment_source: paymentSource },
      }),
    stepsOf: async (id) => (await read(id)).journey.map(({ step }) => step),
    endTime: (id) => service.database.run(endTime, [id]),
    age: (id, minutes) => service.database.run(age, [id, minutes]),
    chargesBeside: createChargesBeside(service, secret()),
  }
}

function createChargesBeside(
  service: TestService,
  headers: Record<string, string>,
): CheckoutCalls['chargesBeside'] {
  const charges = async () => {
    const { body } = await service.call({ url: '/v1/charges?limit=100', headers })
    return v.parse(Charges, body.resource.data)
  }
  return async (work) => {
    const before = new Set((await charges()).map(({ _id }) => _id))
    const result = await work()
    return [result, (await charges()).filter(({ _id }) => !before.has(_id))]
  }
}
