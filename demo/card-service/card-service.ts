import * as v from 'valibot'
import { askService, readAnswer } from './ask-service.ts'
import type { Call } from './ask-service.ts'
import { Charge, ChargePage } from './charge.ts'
import type { ShopKeys } from './shop-keys.ts'

/** Version of the checkout's workflow that this shop was written for. */
const WORKFLOW_VERSION = 1

const ChargeResource = v.object({ data: Charge })

/** Funds to hold on a card. The amount is decimal text in dollars. */
export interface Authorisation {
  amount: string
  token: string
  reference: string
  description: string
}

/** What the shop reads of a checkout: its status and, for the page, its token and the SDK release to load. */
const CheckoutResource = v.object({
  data: v.object({
    _id: v.string(),
    status: v.string(),
    /** Null once the checkout has ended. */
    token: v.nullable(v.string()),
    recommended_sdk_version_url: v.string(),
    recommended_sdk_version_integrity: v.string(),
    /** The charge that paid it. */
    charge_id: v.optional(v.nullable(v.string()), null),
  }),
})
export type CheckoutIntent = v.InferOutput<typeof CheckoutResource>['data']

/** The merchant's calls to the card service. Each throws a `CardServiceFault` if it fails. */
export interface CardService {
  /** Creates a checkout, which the shopper pays in the card service's own form. */
  createCheckout: (order: Omit<Authorisation, 'token'>) => Promise<CheckoutIntent>
  /** Reads a checkout. */
  checkout: (id: string) => Promise<CheckoutIntent>
  authorise: (request: Authorisation) => Promise<Charge>
  /** The amount is decimal text in dollars, at most the held amount. */
  capture: (id: string, amount: string) => Promise<Charge>
  cancel: (id: string) => Promise<Charge>
  /** Gives back a part or all, in decimal text in dollars. Asked again with the same key, it gives back once. */
  refund: (id: string, refund: { amount: string; key: string }) => Promise<Charge>
  get: (id: string) => Promise<Charge>
  list: (query: Record<string, string>) => Promise<ChargePage>
}

/** The card service, asked with the merchant's secret key. */
export function createCardService(keys: () => Promise<ShopKeys>): CardService {
  const ask = async (call: Call) => {
    const { service_url, secret_key } = await keys()
    const { resource } = await askService(service_url, {
      ...call,
      headers: { 'x-user-secret-key': secret_key },
    })
    return resource
  }
  const askForCharge = async (call: Call) => readAnswer(ChargeResource, await ask(call)).data
  return {
    createCheckout: async (order) => {
      const body = { version: WORKFLOW_VERSION, currency: 'AUD', ...order }
      const resource = await ask({ method: 'POST', path: '/v1/checkouts/intent', body })
      return readAnswer(CheckoutResource, resource).data
    },
    checkout: async (id) =>
      readAnswer(CheckoutResource, await ask({ method: 'GET', path: `/v1/checkouts/${id}` })).data,
    authorise: ({ amount, token, reference, description }) =>
      askForCharge({
        method: 'POST',
        path: '/v1/charges?capture=false',
        body: { amount, currency: 'AUD', token, reference, description },
        idempotencyKey: reference,
      }),
    capture: (id, amount) =>
      askForCharge({ method: 'POST', path: `/v1/charges/${id}/capture`, body: { amount } }),
    cancel: (id) => askForCharge({ method: 'DELETE', path: `/v1/charges/${id}/capture` }),
    refund: (id, { amount, key }) =>
      askForCharge({
        method: 'POST',
        path: `/v1/charges/${id}/refunds`,
        body: { amount },
        idempotencyKey: key,
      }),
    get: (id) => askForCharge({ method: 'GET', path: `/v1/charges/${id}` }),
    list: async (query) => {
      const path = `/v1/charges?${String(new URLSearchParams(query))}`
      return readAnswer(ChargePage, await ask({ method: 'GET', path }))
    },
  }
}
