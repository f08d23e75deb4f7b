import type {
  DisputeCategory,
  DisputeStage,
  DisputeStatus,
  EvidenceType,
} from '../../../contract/api/disputes/dispute-resource.ts'
import type {
  AuthenticationMade,
  AuthenticationStep,
  AuthenticationWish,
  BrowserFacts,
  Exemption,
} from '../../../contract/api/charges/authentication.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import type { CardSecrets } from '../../platform/vault/vault.ts'

/** Why a card was declined; each adapter translates its gateway's own codes. */
export const DECLINE_REASONS = [
  'do_not_honour',
  'insufficient_funds',
  'expired_card',
  'suspected_fraud',
  'authorisation_expired',
  'invalid_transaction',
  'authentication_required',
  'authentication_failed',
  'not_authenticated',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

interface Answered {
  /** The gateway's own code and words, kept for the merchant to see. */
  code: string
  description: string
  /** The gateway's id of what it did; a later capture or cancel names the sale's. */
  externalId: string
  /** Retrieval reference number, 12 digits (ISO 8583, field 37); null if the gateway gives none. */
  externalReference: string | null
  /** Of a sale whose card holder's bank took part: what that brought. */
  authentication?: AuthenticationResult | undefined
}

/** What EMV 3-D Secure brought; null where the gateway does not say it. Never the cryptogram. */
export interface AuthenticationResult {
  version: string | null
  flow: 'frictionless' | 'challenge' | null
  /** Y, A, N, R, U, C or I. */
  transStatus: string | null
  /** EMV's two digits. */
  transStatusReason: string | null
  eci: string | null
  dsTransId: string | null
  isLiabilityShifted: boolean | null
}

/**
 * The bank wants to ask the card holder first; no money has moved, and none does before `finish`. `askedBy`: `bank` if it had declined
 * without. `state` is what the adapter needs to go on; it is kept sealed.
 */
export interface AuthenticationNeeded {
  kind: 'authentication_needed'
  askedBy: 'merchant' | 'gateway' | 'bank'
  step: AuthenticationStep
  state: string
}

/** What a page or the bank has told: `returned` is what the bank's page sent back. An adapter believes nothing of it. */
export type AuthenticationTold =
  | { kind: 'method'; completed: boolean }
  | { kind: 'returned'; fields: Readonly<Record<string, string>> }
  | { kind: 'look' }

/** One step of a sale's authentication. */
export interface AuthenticationRequest extends GatewayRequest {
  /** The greatest age that the sale can have, in ms by the database's clock. */
  ageMs: number
  capture: boolean
  state: string
  /** Counts the steps from 0. The same step may come more than once: the gateway carries it out once. */
  stepNumber: number
}

/** How a card holder is authenticated. Nothing of it throws. */
export interface Authentication {
  /** Goes on after a step. `waits`: the card holder has not finished; `told` is forged, or of another payment. */
  finish: (
    request: AuthenticationRequest & { told: AuthenticationTold },
  ) => Promise<GatewayAnswer | AuthenticationNeeded | { kind: 'waits' }>
  /**
   * Ends it, so that no money moves any more: declined as `not_authenticated`; or the answer that it has had meanwhile. Not called while a
   * `finish` of the step has no answer.
   */
  abandon: (request: AuthenticationRequest) => Promise<GatewayAnswer>
}

/**
 * The answer to one request. `unreachable`: nothing was sent. `unknown`: it was sent and no answer came; ask with `outcomeOf`. No method of a
 * gateway throws for any of these.
 */
export type GatewayAnswer =
  | (Answered & { kind: 'approved'; holdSeconds: number })
  | (Answered & {
      kind: 'declined'
      reason: DeclineReason
      /** Why the card holder did not finish, where the bank says so. */
      left?: 'cancelled' | 'timed_out'
    })
  | { kind: 'unreachable' }
  | { kind: 'unknown' }

/** One attempt: the gateway tells attempts apart by our `attemptId`, which never changes. */
interface GatewayRequest {
  attemptId: string
  amount: Cents
  currency: string
  /** Aborted when we stop waiting for the answer. */
  signal: AbortSignal
}

export interface AuthorisationRequest extends GatewayRequest {
  card: CardSecrets & { name: string; expireMonth: number; expireYear: number }
  /** Capture at once, instead of holding the funds. */
  capture: boolean
  /** What the card's statement is to say; null leaves it to the account. A gateway that has no say in it ignores this. */
  statementDescriptor: string | null
  authentication: AuthenticationAsked
}

/** How the card holder is to be authenticated. */
export interface AuthenticationAsked {
  wish: AuthenticationWish
  exemption: Exemption | null
  /** What the card holder's browser told; null if no browser took part, and nobody can be asked. */
  browser: (BrowserFacts & { accept: string; userAgent: string; address: string }) | null
  /** The card holder's, which banks want to have; null if the form does not ask for it. */
  email: string | null
  /** Where the bank's pages send the browser back to, by GET or POST. */
  returnUrl: string
  /** Made by another provider. */
  made: AuthenticationMade | null
}

export interface FollowUpRequest extends GatewayRequest {
  sale: FollowedSale
}

/** The approved sale that a capture, cancel or refund follows. */
export interface FollowedSale {
  /** Its `externalId`. */
  id: string
  amount: Cents
  /** It was captured at once, instead of held. */
  capture: boolean
  /** How much older it is than the request, in ms: the same however often the request is sent. */
  ageMs: number
}

/**
 * Asks about a request that got no answer, with all that is still known of it: nothing of the card. A gateway without a look-up by id is
 * sent the request again.
 */
export type OutcomeRequest = GatewayRequest & {
  /** The greatest age that it can have, in ms by the database's clock. */
  ageMs: number
  /** The least age: the two differ once the database's clock has stepped. */
  minAgeMs: number
} & (
    | { type: 'sale'; capture: boolean; statementDescriptor: string | null }
    | { type: 'capture' | 'cancel' | 'refund'; sale: FollowedSale }
  )

/** The answer to a question that moves no money; `message` is a sentence for the merchant. */
export type GatewayCheck =
  | { kind: 'works' }
  /** `path`: which part of the account is at fault, where that is known. */
  | { kind: 'refused'; message: string; path?: keyof AccountCredentials }
  | { kind: 'unreachable'; proxyCode?: string }

/** What a gateway tells of its own accord, in our words. */
export interface News {
  /** The same for the same news, however often it is sent; unique for an account. */
  key: string
  /** The gateway's own name of the event, for people. */
  name: string
  at: Date
  /** Our attempt's id, where the gateway names it: by hand mostly that of the sale. */
  attemptId: string | null
  /** The gateway's id of the payment that it is about. */
  saleId: string | null
  /** The gateway's id of the movement itself. */
  externalId: string
  amount: Cents | null
  currency: string | null
  says: Said
  /** As it was sent, for people; it may hold anything. */
  sent: unknown
}

/** `isDone`: carried out, where it is false refused or failed later. */
interface ToldMovement {
  kind: 'movement'
  type: 'sale' | 'capture' | 'cancel' | 'refund'
  isDone: boolean
  /** Of one that is not done: the gateway had accepted it before. Else it was refused, and may be a second one of somebody else's. */
  wasAccepted?: boolean
  /** The gateway's own code and words. */
  code: string
  description: string
  /** Of a sale: how long its funds are held; 0 of any other. */
  holdSeconds: number
  /** Of a sale that was refused; `do_not_honour` where it is left out. */
  reason?: DeclineReason
  /** Of a sale whose card holder's bank took part. */
  authentication?: AuthenticationResult | undefined
  /** Of a sale that waits for its card holder, the gateway tells more to who asks it: so it is asked. */
  isAskedAbout?: boolean
}

/**
 * What a gateway tells of a card holder's dispute; `News.amount` is what is disputed. Each field says something or, as null, nothing: so
 * what is told in any order adds up to the same.
 */
export interface ToldDispute {
  kind: 'dispute'
  /** The gateway's id of the dispute, by which it is answered. */
  disputeId: string
  stage: DisputeStage
  status: DisputeStatus | null
  /** Whether the amount was taken from the merchant, or given back. */
  funds: 'withdrawn' | 'returned' | null
  /** `code`: the scheme's own, `description` what the gateway says of it. */
  reason: { category: DisputeCategory; code: string | null; description: string } | null
  respondBy: Date | null
  /** Whether the gateway lets it be answered; null where it does not say. */
  isDefensible: boolean | null
  /** A short sentence for the history, such as "Charged back". */
  description: string
}

/**
 * `hold_ended`: the gateway has released what it held. `authorisation_changed`: it holds `amount` from now on. `warning`: no charge changes,
 * and the merchant had better look at it. `nothing`: understood, and no charge changes. `unknown`: can't be understood. `why` is a sentence for people.
 */
type Said =
  | ToldMovement
  | { kind: 'hold_ended' }
  | { kind: 'authorisation_changed' }
  | ToldDispute
  | { kind: 'warning'; why: string }
  | { kind: 'nothing' }
  | { kind: 'unknown'; why: string }

/** What proves that a notification comes from the gateway. */
export interface NotificationSecrets {
  /** The newest first: while one is replaced, two are good. */
  signingKeys: readonly string[]
  /** Of basic authentication, for gateways that send it. */
  user: string
  password: string
}

/** A request that says it is a gateway's; nothing in it is checked. */
export interface NotificationRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw bytes. */
  body: Buffer
  now: Date
}

/** A request about one dispute. */
interface DisputeRequest {
  /** The gateway's id of it. */
  disputeId: string
  /** Aborted when we stop waiting for the answer. */
  signal: AbortSignal
}

/** Names one answer of the merchant, however often it is sent: 24 hex characters. */
interface DisputeAnswerRequest extends DisputeRequest {
  answerId: string
}

/** A file that proves something; `type` is one of a defence's document types. */
export interface EvidenceFile {
  type: string
  name: string
  contentType: EvidenceType
  content: Buffer
}

/** A way to defend a dispute. */
export interface Defence {
  code: string
  description: string
  documents: readonly {
    type: string
    description: string
    requirement: 'required' | 'one_or_more' | 'optional'
  }[]
}

/** `refused`: the gateway does not take it; `message` is for the merchant. `unknown`: sent, and no answer came; it is sent again. */
export type DisputeAnswer =
  | { kind: 'taken' }
  | { kind: 'refused'; message: string }
  | { kind: 'unreachable' }
  | { kind: 'unknown' }

/** What a gateway lets be done with disputes. Nothing of it throws. */
export interface Disputes {
  /** Files that it takes, how many bytes all of one dispute may have together, and whether it takes the merchant's own words. */
  takes: { contentTypes: readonly EvidenceType[]; maxTotalBytes: number; statement: boolean }
  defencesOf: (
    request: DisputeRequest & { reason: ToldDispute['reason'] },
  ) => Promise<
    | { kind: 'known'; defences: readonly Defence[] }
    | { kind: 'refused'; message: string }
    | { kind: 'unreachable' }
  >
  /** One that was accepted before counts as taken. */
  accept: (request: DisputeAnswerRequest) => Promise<DisputeAnswer>
  /** Sends the documents, then the defence. One that was sent before, by the same `answerId`, counts as taken. */
  defend: (
    request: DisputeAnswerRequest & {
      defence: string
      statement: string | null
      documents: readonly EvidenceFile[]
    },
  ) => Promise<DisputeAnswer>
}

/** The port that every gateway's adapter implements. */
export interface Gateway {
  authorise: (request: AuthorisationRequest) => Promise<GatewayAnswer | AuthenticationNeeded>
  capture: (request: FollowUpRequest) => Promise<GatewayAnswer>
  cancel: (request: FollowUpRequest) => Promise<GatewayAnswer>
  refund: (request: FollowUpRequest) => Promise<GatewayAnswer>
  /**
   * The outcome of an earlier request. To find out, a gateway may carry out now, once, what it never received. `not_received` is a promise:
   * the request has moved no money and never will, even if it still arrives.
   */
  outcomeOf: (request: OutcomeRequest) => Promise<GatewayAnswer | { kind: 'not_received' }>
  /** Absent if `authorise` never asks for it. */
  authentication?: Authentication
  /** Tests the credentials by a call that moves no money; absent if the gateway has no such call. */
  check?: (signal: AbortSignal) => Promise<GatewayCheck>
  /** Absent if the gateway sends none. */
  notifications?: {
    /** The news of one request, pure and without waiting; null if its signature is wrong. Compares in constant time. */
    read: (request: NotificationRequest, secrets: NotificationSecrets) => readonly News[] | null
    /** What to put right where `read` gives null, in a sentence or two for people who set it up. They stay among those: the sender is not told. */
    whyRefused: (request: NotificationRequest, secrets: NotificationSecrets) => string
  }
  /** Absent if disputes are answered at the gateway alone. */
  disputes?: Disputes
}

/** What is entered for a merchant's account at any gateway; it is kept sealed. */
export interface AccountCredentials {
  /** The secret that lets the service in. */
  api_key: string
  /** The account's name or id there. */
  merchant_account: string
  /** The address of the API: https, or http on this machine. */
  base_url: string
}

/** How notifications are set up at a gateway, in words for people who have its pages open beside ours. */
export interface NotificationSetup {
  /** It sends a user and a password, which the service makes. */
  hasPassword: boolean
  /** The key by which it signs, which it makes: its name there, where it is found, and what is wrong with a text that can't be one. */
  signingKey: { name: string; finding: string; faultOf: (key: string) => string | null }
  /** What to do there, in order, until the key can be copied. */
  steps: readonly string[]
  /** The events to choose there, by its own names. */
  events: readonly string[]
  /** How to have it send a test. */
  test: string
}

/** What differs from gateway to gateway. What one can't do is refused in words, and nothing is sent for it. */
export interface Capabilities {
  /** Captures a part of a hold, and releases the rest. */
  partialCapture: boolean
  /** Finds out what became of a request without an answer. If not, the outcome stays unknown until an operator enters it. */
  lookUp: boolean
  /** Tells the service by itself what happens to a payment. */
  notifications: boolean
  /** Lets disputes be read and answered. */
  disputes: boolean
  /** Has card holders authenticated by their bank. */
  authentication: boolean
}

/** What an adapter of an account works with. */
export interface AdapterDeps {
  /** The only way to the gateway: through the service's proxy and guard, with its limits. */
  send: SendRequest
  /** Where card holders would be sent back to. */
  returnUrl: string
  /** Makes a key that was never used. */
  createKey: () => string
  /** Hears what the operator has to put right: credentials that are refused, requests that are not understood. */
  onFault: (error: Error) => void
  /** How long a request may still be under way, in ms, in place of the adapter's own time. */
  settleMs?: number | undefined
}

/** A gateway at which merchants have accounts: all that the service knows of it, its adapter included. */
export interface GatewayKind {
  /** What people call it. */
  name: string
  can: Capabilities
  /** What people call the parts of an account there. */
  words: Readonly<Record<keyof AccountCredentials, string>>
  /** Where each of them is found there, in a sentence or two. */
  finding: Readonly<Record<keyof AccountCredentials, string>>
  /** What the gateway has to allow before it takes payments, and how to get it. */
  beforehand: string
  /** How it is had to send notifications; null if it sends none. */
  setup: NotificationSetup | null
  /** Its own servers: cards go to no other without an operator. `usual` is the address that is proposed. */
  servers: { isOwn: (url: string) => boolean; usual: string; example: string }
  /** What is wrong with an account that can be seen without asking the gateway; null if nothing. */
  faultOf: (account: AccountCredentials) => { path: keyof AccountCredentials; message: string } | null
  /** Names the place of an account: payments of one place are known at no other. It stays the same when a key is replaced. */
  placeOf: (account: AccountCredentials) => string
  connect: (account: AccountCredentials, deps: AdapterDeps) => Gateway
}
