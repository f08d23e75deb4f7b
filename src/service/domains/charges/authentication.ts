import type {
  AuthenticationMade,
  AuthenticationStatus,
} from '../../../contract/api/charges/authentication.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { AuthenticationNeeded, AuthenticationResult, DeclineReason } from '../gateways/gateway.ts'

/** How the card holder's bank took part in a sale, as it is kept with the attempt. */
export interface AttemptAuthentication {
  id: string
  status: AuthenticationStatus
  askedBy: AuthenticationNeeded['askedBy']
  /** When the card holder was asked, and until when they may finish, as ISO 8601; null where nobody was. */
  askedAt: string | null
  expiresAt: string | null
  /** Of the event that tells that it was passed; null if it was not. */
  passedId: string | null
  result: AuthenticationResult | null
}

/** An authentication before its end. When it began is added as it is written. */
export function pendingAuthentication(
  id: string,
  askedBy: AuthenticationNeeded['askedBy'],
): AttemptAuthentication {
  return { id, status: 'pending', askedBy, askedAt: null, expiresAt: null, passedId: null, result: null }
}

/** How a sale ended, as far as its authentication shows it. `left`: why the card holder did not finish. */
export interface SaleEnd {
  isApproved: boolean
  reason: DeclineReason | null
  result: AuthenticationResult | null
  left: 'cancelled' | 'timed_out' | null
}

/** What an authentication is after the sale's end; null if no bank took part. One that nobody was asked for, and the event of one that was passed, get ids. */
export function endedBy(
  before: AttemptAuthentication | null,
  end: SaleEnd,
  createId: CreateId,
): AttemptAuthentication | null {
  if (before === null && end.result === null) return null
  const status = endStatusOf(before !== null, end)
  const passedId = status === 'authenticated' || status === 'attempted' ? createId() : null
  const result = end.result ?? before?.result ?? null
  return before === null
    ? { id: createId(), status, askedBy: 'gateway', askedAt: null, expiresAt: null, passedId, result }
    : { ...before, status, passedId, result }
}

/** By EMV's transaction status. */
const BY_TRANS_STATUS: Readonly<Record<string, AuthenticationStatus>> = {
  Y: 'authenticated',
  A: 'attempted',
  N: 'failed',
  R: 'failed',
}

/** Where a gateway does not say EMV's status, a sale that was approved after the card holder was asked was authenticated. */
function endStatusOf(wasAsked: boolean, { isApproved, reason, result, left }: SaleEnd): AuthenticationStatus {
  if (reason === 'not_authenticated') return left ?? 'timed_out'
  if (reason === 'authentication_failed') return 'failed'
  const transStatus = result?.transStatus ?? null
  if (transStatus === null) return wasAsked && isApproved ? 'authenticated' : 'unavailable'
  return BY_TRANS_STATUS[transStatus] ?? 'unavailable'
}

/** An authentication as it was before its end; null where nobody was asked. */
export function reopened(authentication: AttemptAuthentication | null): AttemptAuthentication | null {
  if (authentication?.askedAt == null) return null
  return { ...authentication, status: 'pending', passedId: null, result: null }
}

/** What an ECI says of EMV's transaction status, by any scheme that has it. Others were neither authenticated nor attempted. */
const BY_ECI: Readonly<Partial<Record<string, 'Y' | 'A'>>> = { '05': 'Y', '02': 'Y', '06': 'A', '01': 'A' }
/** Their 06 is an exemption, not an attempt. */
const OF_MASTERCARD: ReadonlySet<string> = new Set(['mastercard', 'maestro'])

/** What another provider has made, with the transaction status that its ECI says where it is left out. */
export function withTransStatus(made: AuthenticationMade, scheme: string): AuthenticationMade {
  const isExempted = made.eci === '06' && OF_MASTERCARD.has(scheme)
  const said = made.trans_status ?? (isExempted ? undefined : BY_ECI[made.eci])
  return said === undefined ? made : { ...made, trans_status: said }
}

/** What EMV 3-D Secure's two digits for the reason of a transaction status say (`transStatusReason`, EMVCo, version 2.2). */
const REASONS: Readonly<Record<string, string>> = {
  '01': 'The card could not be authenticated.',
  '02': 'The device is not known.',
  '03': 'The device is not supported.',
  '04': 'Authentications came too often.',
  '05': 'The card has expired.',
  '06': 'The card number is not valid.',
  '07': 'The transaction is not valid.',
  '08': 'The bank has no record of the card.',
  '09': 'A security check failed.',
  '10': 'The card was reported stolen.',
  '11': 'Fraud is suspected.',
  '12': 'This card holder may not do this transaction.',
  '13': 'The card holder is not enrolled.',
  '14': 'The bank’s page timed out.',
  '15': 'The bank has little confidence.',
  '16': 'The bank has some confidence.',
  '17': 'The bank has high confidence.',
  '18': 'The bank has very high confidence.',
  '19': 'The bank has asked as often as it may.',
  '20': 'The bank authenticates payments alone.',
  '21': 'The bank authenticates nothing that a merchant begins alone.',
  '22': 'The bank’s service had a fault.',
  '23': 'The bank wanted to ask outside this payment, and was not let.',
  '24': 'The time to be asked outside this payment was over.',
  '25': 'There was too little time to be asked outside this payment.',
  '26': 'Authentication was tried, and the card holder did not take part.',
}

/** A reason in words; a code of a scheme's own is told as it is. */
export function wordsOfReason(code: string): string {
  return REASONS[code] ?? `The bank gave the reason ${code}.`
}
