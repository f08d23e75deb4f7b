import * as v from 'valibot'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type {
  Authentication,
  AuthenticationNeeded,
  AuthenticationTold,
  AuthorisationRequest,
  DeclineReason,
  FollowedSale,
  Gateway,
  GatewayAnswer,
} from '../gateway.ts'

/** A payment as its gateway knows it. `reference`: the id of the attempt that made it. */
export interface PaymentAtGateway {
  id: string
  reference: string
}

/** What a gateway's own books say of a payment, in cents. */
export interface Books {
  held: number
  taken: number
  refunded: number
}

/** Where the connection to a gateway breaks: before anything is sent, on the way there, on the way back. */
export type Break = 'unreachable' | 'lost' | 'unanswered'

/** A gateway under test: how to make it decline and break, and a look into its books. */
export interface GatewayBed {
  gateway: Gateway
  /** A sale that is declined, by reason; a gateway need not know all reasons. */
  declined: Partial<Record<DeclineReason, { amount?: string; card?: Partial<AuthorisationRequest['card']> }>>
  /** Sends an operation, with an amount that the bed chooses, so that it meets a break. */
  meeting: (kind: Break, send: (amount: Cents) => Promise<GatewayAnswer>) => Promise<GatewayAnswer>
  /** The books of each payment that was made under an attempt's id. */
  booksOf: (attemptId: string) => Promise<Books[]>
  /** The card holders' bank; absent if the gateway authenticates nobody. */
  bank?: BankBed
  /** A wrong capture, cancel or refund is declined at once, rather than received and dropped. */
  refusesAtOnce: boolean
  close: () => Promise<void>
}

/** How a card holder ends the bank's page. */
export type AtBank = 'passes' | 'fails' | 'cancels'

/** A bank under test. */
export interface BankBed {
  /** A card whose bank asks the card holder. */
  asks: SaleChange
  /** A card whose bank declines what comes without authentication. */
  insists: SaleChange
  /** A card whose bank begins by a hidden frame, and asks then; null if the gateway shows no such frame. */
  hiddenFrame: SaleChange | null
  /** The card holder ends the bank's page of an attempt; returns what comes back by the browser. */
  visit: (attemptId: string, needed: AuthenticationNeeded, does: AtBank) => Promise<AuthenticationTold>
  /** What a browser could bring that was never at the bank, each another way. */
  forged: (attemptId: string, needed: AuthenticationNeeded) => readonly AuthenticationTold[]
}

const MAX_WAIT_MS = 2000
const good = { number: '5111111111111118', code: '100', name: 'Grace', expireMonth: 1, expireYear: 2039 }
let last = 0

export const cents = (amount: string): Cents => v.parse(Amount, amount)
export const nextId = () => `attempt-${String((last += 1))}`

/** Long enough for a request to arrive, too short for an answer that does not come. */
export const soon = () => AbortSignal.timeout(400)

/** An order without its particulars. */
export const order = (amount: Cents, attemptId = nextId()) => ({
  attemptId,
  amount,
  currency: 'AUD',
  signal: AbortSignal.timeout(MAX_WAIT_MS),
})

export const follow = (sale: FollowedSale, amount: Cents, attemptId = nextId()) => ({
  ...order(amount, attemptId),
  sale,
})

export type SaleChange = Partial<Omit<AuthorisationRequest, 'card'>> & {
  card?: Partial<AuthorisationRequest['card']>
}

/** Asks for a sale, to hold, without a browser. */
export const ask = (
  { gateway }: Pick<GatewayBed, 'gateway'>,
  amount: Cents,
  attemptId = nextId(),
  { card, ...change }: SaleChange = {},
): ReturnType<Gateway['authorise']> =>
  gateway.authorise({
    ...order(amount, attemptId),
    card: { ...good, ...card },
    capture: false,
    statementDescriptor: null,
    authentication: NOT_ASKED,
    ...change,
  })

/** The same, of a sale whose card holder is not asked. */
export async function authorise(...sale: Parameters<typeof ask>): Promise<GatewayAnswer> {
  const given = await ask(...sale)
  if (given.kind === 'authentication_needed') throw new Error('the card holder is asked')
  return given
}

/** No browser takes part, so nobody can be asked. */
export const NOT_ASKED: AuthorisationRequest['authentication'] = {
  wish: 'automatic',
  exemption: null,
  browser: null,
  email: null,
  returnUrl: 'https://service.example/3ds/0/return',
  made: null,
}

/** A card holder with a browser. */
export const BY_BROWSER: AuthorisationRequest['authentication'] = {
  ...NOT_ASKED,
  email: 'grace@example.com',
  browser: {
    language: 'en-AU',
    time_zone_offset: -600,
    screen_width: 390,
    screen_height: 844,
    color_depth: 24,
    accept: 'text/html',
    userAgent: 'Mozilla/5.0',
    address: '192.0.2.7',
  },
}

/** What goes on after a step, or gives it up. */
export const toAuthentication = (
  attemptId: string,
  amount: Cents,
  { state }: Pick<AuthenticationNeeded, 'state'>,
  stepNumber = 0,
): Parameters<Authentication['abandon']>[0] => ({
  ...order(amount, attemptId),
  ageMs: 60_000,
  capture: false,
  state,
  stepNumber,
})

/** The question what became of a sale of such an age, in ms. */
export const askedAbout = (amount: Cents, attemptId: string, ageMs: number, capture = false) =>
  ({
    ...order(amount, attemptId),
    type: 'sale',
    capture,
    statementDescriptor: null,
    ageMs,
    minAgeMs: ageMs,
  }) as const

/** An approved sale of a day ago, and its books. */
export async function sold(bed: GatewayBed, capture = false, amount = cents('100.00')) {
  const attemptId = nextId()
  const answer = await authorise(bed, amount, attemptId, { capture })
  if (answer.kind !== 'approved') throw new Error(answer.kind)
  const sale: FollowedSale = { id: answer.externalId, amount, capture, ageMs: 86_400_000 }
  return { sale, books: () => bed.booksOf(attemptId) }
}

/** How a capture, cancel or refund is answered that can't come about. */
export const refusalBy = ({ refusesAtOnce }: GatewayBed) => ({
  kind: refusesAtOnce ? 'declined' : 'approved',
})
