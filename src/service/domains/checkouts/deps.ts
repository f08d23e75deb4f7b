import type { ChargeRequest } from '../../../contract/api/charges/charge-request.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { CardFacts } from './intent.ts'

/** The SDK that a page should load. */
interface RecommendedRelease {
  url: string
  integrity: string
  /** As it stands in addresses, such as `v1.3.0`. */
  release: string
  /** Origin of its documents. */
  origin: string
  /** Whether it adopts a form that stands in the page's own HTML. */
  adoptsForms: boolean
}

/** What checkouts need of the platform and of other domains. */
export interface CheckoutsDeps {
  database: Database
  createId: CreateId
  tokenKeys: TokenKeys
  merchants: {
    find: (id: string) => Promise<CheckoutMerchant | null>
    gatewayOf: (merchantId: string, gatewayId: string) => Promise<object | null>
  }
  /** The newest SDK release that serves a workflow version in this environment; null if none does. */
  recommendedRelease: (version: number) => RecommendedRelease | null
  /** Hashes a card's token; only the hash is kept. */
  hashOf: (paymentSource: string) => Buffer
  /** Throws `token_not_found` for a token that can't be spent. */
  cardOf: (merchantId: string, paymentSource: string) => Promise<CardFacts>
  /** Makes a charge. Its beginning commits together with `inSameTransaction`, or neither does. */
  pay: (
    caller: PayingCaller,
    request: ChargeRequest,
    capture: boolean,
    inSameTransaction: (queries: Queries, chargeId: string) => Promise<void>,
  ) => Promise<Payment>
  paymentOf: (chargeId: string) => Promise<Payment>
  /** Null unless the charge waits for its card holder, and where the step can't be shown now. */
  shownStepOf: (chargeId: string) => Promise<ShownStep | null>
}

/** What a page shows the step of the card holder's bank with. */
export interface ShownStep {
  id: string
  token: string
}

/** Keys that sign the tokens of checkouts: the current one signs, every known one verifies. */
export interface TokenKeys {
  current: { id: string; key: Uint8Array }
  byId: (id: string) => Uint8Array | undefined
  /** Address of the API: a token of another installation is refused. */
  issuer: string
}

interface CheckoutMerchant {
  id: string
  name: string
  preAuth: boolean
  /** Origins of the pages that may show its checkouts; empty: any page. */
  allowedOrigins: readonly string[]
}

interface PayingCaller {
  merchant: { id: string; preAuth: boolean }
  userId: null
  sourceIp: string
  idempotentRequest: null
}

/** A charge's outcome, as far as an intent needs it. */
export interface Payment {
  chargeId: string
  /** `open`: not known yet. */
  outcome: 'paid' | 'failed' | 'open'
  /** Why it failed. */
  code: ErrorCode | null
  /** Whether it waits for the card holder, whom their bank asks. */
  isHolderAsked: boolean
}
