import * as v from 'valibot'
import { CardServiceFault } from './card-service-fault.ts'
import { Charge, ChargePage } from './charge.ts'
import type { ShopKeys } from './shop-keys.ts'

/** Time to wait for an answer. A payment gets longer, as the service asks a bank. */
const READ_TIMEOUT_MS = 5_000
const PAYMENT_TIMEOUT_MS = 30_000

/** Version of the checkout's workflow that this shop was written for. */
const WORKFLOW_VERSION = 1

/** The shape of every answer of the card service. */
const Envelope = v.object({
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  resource: v.unknown(),
})
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
  get: (id: string) => Promise<Charge>
  list: (query: Record<string, string>) => Promise<ChargePage>
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  idempotencyKey?: string
}

export function createCardService(keys: () => Promise<ShopKeys>): CardService {
  const ask = async (call: Call) => answerOf(await send(call, await keys()))
  const askForCharge = async (call: Call) => read(ChargeResource, await ask(call)).data
  return {
    createCheckout: async (order) => {
      const body = { version: WORKFLOW_VERSION, currency: 'AUD', ...order }
      const resource = await ask({ method: 'POST', path: '/v1/checkouts/intent', body })
      return read(CheckoutResource, resource).data
    },
    checkout: async (id) =>
      read(CheckoutResource, await ask({ method: 'GET', path: `/v1/checkouts/${id}` })).data,
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
    get: (id) => askForCharge({ method: 'GET', path: `/v1/charges/${id}` }),
    list: async (query) => {
      const path = `/v1/charges?${String(new URLSearchParams(query))}`
      return read(ChargePage, await ask({ method: 'GET', path }))
    },
  }
}

async function send({ method, path, body, idempotencyKey }: Call, keys: ShopKeys): Promise<Response> {
  const headers = new Headers({ 'x-user-secret-key': keys.secret_key })
  if (body) headers.set('content-type', 'application/json')
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  try {
    return await fetch(keys.service_url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : PAYMENT_TIMEOUT_MS),
    })
  } catch (error) {
    throw unanswered(error)
  }
}

/** A refused connection means that nothing was received. After any other error money may have moved. */
function unanswered(error: unknown): CardServiceFault {
  const cause = error instanceof Error ? error.cause : undefined
  const refused = v.is(v.object({ code: v.literal('ECONNREFUSED') }), cause)
  return refused
    ? new CardServiceFault('service_unavailable', 'The card service cannot be reached.')
    : new CardServiceFault('outcome_unknown', 'The card service did not answer in time.')
}

async function answerOf(response: Response): Promise<unknown> {
  const { error, resource } = read(Envelope, await response.json().catch(() => undefined))
  if (error) throw new CardServiceFault(error.code, error.message)
  return resource
}

function read<Schema extends v.GenericSchema>(schema: Schema, answer: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer)
  if (parsed.success) return parsed.output
  throw new CardServiceFault('outcome_unknown', 'The answer of the card service cannot be read.')
}
