import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { CentsLeft } from '../../../../contract/api/fields/amount.ts'
import { parsedOnce } from '../../../platform/http/requests/bodies.ts'
import { withoutSensitive } from '../../../platform/secrets/secret-in-text.ts'
import type {
  AccountCredentials,
  News,
  NotificationRequest,
  NotificationSecrets,
  NotificationSetup,
} from '../gateway.ts'
import { dateOf, DISPUTE_EVENTS, fraudWarningOf, toToldDispute } from './adyen-disputes.ts'
import { resultInNews } from './adyen-authentication.ts'
import { declineReasonByWords, HOLD_SECONDS } from './adyen-messages.ts'

/**
 * The news of one of Adyen's standard webhooks, of API version 1; null if it is not proved to be Adyen's. Basic authentication is checked
 * first, then the signature of each item over its raw fields. Only then is an item read by its schema.
 */
export function readAdyenNotifications(
  account: Pick<AccountCredentials, 'merchant_account' | 'base_url'>,
  { headers, body, now }: NotificationRequest,
  secrets: NotificationSecrets,
): readonly News[] | null {
  const isLetIn = isSame(String(headers['authorization']), basicAuthentication(secrets))
  const parsed = v.safeParse(Notification, parsedOnce(body))
  // What is not let in is not compared with the keys either: it must not learn whether its items are signed.
  if (!isLetIn || !parsed.success) return null
  const { live, notificationItems } = parsed.output
  const items = notificationItems.map((one) => one.NotificationRequestItem)
  if (!items.every((item) => isSigned(item, secrets.signingKeys))) return null
  return items.map((item) => toNews(account, item, { isLive: String(live) === 'true', now }))
}

/** Says what to put right where `readAdyenNotifications` gives null, by the same steps. */
export function whyAdyenIsRefused(
  { headers, body }: Omit<NotificationRequest, 'now'>,
  secrets: NotificationSecrets,
): string {
  const { authorization } = headers
  const parsed = v.safeParse(Notification, parsedOnce(body))
  if (authorization === undefined)
    return 'It came without user and password. Enter them at Adyen under Basic authentication; if they are there, a proxy in front of this service takes them away.'
  if (!isSame(String(authorization), basicAuthentication(secrets)))
    return 'It came with another user or password. Enter both at Adyen anew, as they are shown here.'
  if (!parsed.success)
    return 'It is no notification in JSON. At Adyen choose the method JSON for this webhook, of the type Standard.'
  const isBare = parsed.output.notificationItems.some(
    ({ NotificationRequestItem: item }) => (item.additionalData?.hmacSignature ?? '') === '',
  )
  return isBare
    ? 'It is not signed. At Adyen generate an HMAC key for this webhook, save it there, and enter it here.'
    : 'It is signed by another HMAC key than the one that was entered here. Enter the one that this webhook has at Adyen.'
}

/** How a standard webhook is added in Adyen's Customer Area (docs.adyen.com, "Configure and manage webhooks"). */
export const adyenSetup: NotificationSetup = {
  hasPassword: true,
  signingKey: {
    name: 'HMAC key',
    finding: 'On the page of the webhook at Adyen, under Security. It has 64 digits and letters from A to F.',
    faultOf: (key) =>
      /^(?:[\da-f]{2}){16,64}$/i.test(key)
        ? null
        : 'must be an HMAC key of Adyen: hex digits alone, 64 as a rule',
  },
  steps: [
    'In the Customer Area choose the merchant account, not the company account. Then open Developers, Webhooks, and create a Standard webhook.',
    'Under Server configuration enter the address as URL, and choose the method JSON.',
    'Under Security, Basic authentication, enter the user and the password.',
    'Under Events leave the default events on, and add those that are named here, as far as your account offers them.',
    'Under Security generate an HMAC key, copy it, and save the webhook.',
  ],
  events: [
    ...['CAPTURE_FAILED', 'REFUND_FAILED', 'REFUNDED_REVERSED', 'EXPIRE', 'TECHNICAL_CANCEL'],
    ...['AUTHORISATION_ADJUSTMENT', 'NOTIFICATION_OF_FRAUD', ...DISPUTE_EVENTS],
  ],
  test: 'On the page of the webhook at Adyen press Test configuration, choose AUTHORISATION, and press Test.',
}

/** What the header `authorization` holds. */
function basicAuthentication({ user, password }: NotificationSecrets): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Both as hashes, so that the time tells neither a length nor a place. */
function isSame(given: string, right: string): boolean {
  const [one, other] = [given, right].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

const signedText = v.optional(v.nullable(v.union([v.string(), v.boolean(), v.number()])), '')
/** The fields that are signed, of whatever kind, and the signature. */
const SignedItem = v.looseObject({
  pspReference: signedText,
  originalReference: signedText,
  merchantAccountCode: signedText,
  merchantReference: signedText,
  amount: v.optional(v.nullable(v.looseObject({ value: signedText, currency: signedText }))),
  eventCode: signedText,
  success: signedText,
  additionalData: v.optional(v.nullable(v.looseObject({ hmacSignature: v.optional(v.string()) }))),
})
type SignedItem = v.InferOutput<typeof SignedItem>

type SignedValue = string | number | boolean | null | undefined
/** The fields that are signed, each of them optional. */
type SignedFields = Readonly<
  Partial<
    Record<
      | 'pspReference'
      | 'originalReference'
      | 'merchantAccountCode'
      | 'merchantReference'
      | 'eventCode'
      | 'success',
      SignedValue
    >
  >
> & { amount?: { value?: SignedValue; currency?: SignedValue } | null | undefined }

const MAX_ITEMS = 100
const Notification = v.looseObject({
  live: v.union([v.string(), v.boolean()]),
  notificationItems: v.pipe(
    v.array(v.looseObject({ NotificationRequestItem: SignedItem })),
    v.minLength(1),
    v.maxLength(MAX_ITEMS),
  ),
})

/** Whether one of the keys, written in hex, has signed an item (docs.adyen.com, "Verify HMAC signatures"). */
function isSigned(item: SignedItem, signingKeys: readonly string[]): boolean {
  const given = item.additionalData?.hmacSignature ?? ''
  return signingKeys.map((key) => isSame(given, signatureOf(item, key))).includes(true)
}

/** The signature of an item, by a key that is written in hex. */
export function signatureOf(item: SignedFields, signingKey: string): string {
  const { amount } = item
  const signed = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    amount?.value,
    amount?.currency,
    item.eventCode,
    item.success,
  ]
  const content = signed.map((part) => part ?? '').join(':')
  return createHmac('sha256', Buffer.from(signingKey, 'hex')).update(content).digest('base64')
}

/** Absent, null and empty are the same. */
const textOrNone = v.optional(
  v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(500))),
    v.transform((text) => text ?? ''),
  ),
  '',
)
const named = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100))

/** An item as Adyen's schemas have it, as far as it is read. */
const Item = v.object({
  eventCode: named,
  pspReference: named,
  originalReference: textOrNone,
  merchantReference: textOrNone,
  merchantAccountCode: v.string(),
  eventDate: textOrNone,
  success: v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false'])]),
    v.transform((success) => String(success) === 'true'),
  ),
  amount: v.optional(
    v.nullable(v.object({ value: v.pipe(v.number(), v.safeInteger()), currency: v.string() })),
  ),
  paymentMethod: textOrNone,
  reason: textOrNone,
  additionalData: v.optional(v.nullable(v.looseObject({ 'modification.action': v.optional(v.string()) }))),
})
type Item = v.InferOutput<typeof Item>

function toNews(
  account: Pick<AccountCredentials, 'merchant_account' | 'base_url'>,
  signed: SignedItem,
  { isLive, now }: { isLive: boolean; now: Date },
): News {
  const sent = withoutSecrets(signed)
  const key = [signed.eventCode, signed.pspReference, signed.success].map(String).join(' ')
  const parsed = v.safeParse(Item, signed)
  if (!parsed.success) {
    const why = `Adyen sent an item that is not as its schemas say: ${v.getDotPath(parsed.issues[0]) ?? 'item'}.`
    return { ...UNREAD, key, name: String(signed.eventCode), at: now, says: { kind: 'unknown', why }, sent }
  }
  const item = parsed.output
  const dispute = toToldDispute(item)
  const says = misdirected(account, item, isLive) ?? ofTest(item) ?? dispute ?? readingOf(item)(item)
  const read = { key, ...factsOf(item, now), says, sent }
  return dispute === null ? read : { ...read, ...ofDispute(key, item) }
}

function factsOf(item: Item, now: Date): Omit<News, 'key' | 'says' | 'sent'> {
  const amount = v.safeParse(CentsLeft, item.amount?.value)
  return {
    name: item.eventCode,
    at: dateOf(item.eventDate) ?? now,
    attemptId: item.merchantReference.replace(/-void$/, '') || null,
    saleId: item.originalReference || item.pspReference,
    externalId: item.pspReference,
    amount: amount.success ? amount.output : null,
    currency: item.amount?.currency ?? null,
  }
}

/** All events of a dispute have its id as theirs, and one may come at several of its stages; some don't name the payment. */
function ofDispute(key: string, { eventDate, originalReference }: Item): Pick<News, 'key' | 'saleId'> {
  return { key: `${key} ${eventDate.slice(0, LONGEST_DATE)}`, saleId: originalReference || null }
}

/** Of `2026-11-27T10:00:00.000+01:00`. */
const LONGEST_DATE = 29
const UNREAD = { attemptId: null, saleId: null, externalId: '', amount: null, currency: null }

/** As it was sent, but for the signature and the bank's cryptogram (`cavv`, `…authenticationValue`), which is kept nowhere. */
function withoutSecrets(item: SignedItem): object {
  const kept = Object.entries(item.additionalData ?? {}).filter(([name]) => !SECRETS.test(name))
  return { ...item, additionalData: Object.fromEntries(kept) }
}

const SECRETS = /(?:^hmacSignature|cavv|xid|authenticationvalue)$/i

/** News that is signed, and of another account: one webhook of a company may send that of all its accounts. */
function misdirected(
  { merchant_account: account, base_url }: Pick<AccountCredentials, 'merchant_account' | 'base_url'>,
  { merchantAccountCode }: Item,
  isLive: boolean,
): Says | null {
  if (merchantAccountCode !== account)
    return {
      kind: 'unknown',
      why: 'It is of another merchant account. At Adyen, have this webhook send the events of this account alone.',
    }
  const { hostname } = new URL(base_url)
  const isOfOther = isLive ? hostname === 'checkout-test.adyen.com' : hostname.endsWith('.adyenpayments.com')
  if (!isOfOther) return null
  return {
    kind: 'unknown',
    why: `It is of Adyen's ${isLive ? 'live' : 'test'} platform, and this account is not.`,
  }
}

type Says = News['says']

/** What "Test configuration" in Adyen's Customer Area sends: signed like any other, of a payment that there is not. */
function ofTest({ pspReference }: Item): Says | null {
  return /^test_[A-Z_]+_\d+$/.test(pspReference) ? { kind: 'nothing' } : null
}
type Reading = (item: Item) => Says

function wordsOf({ eventCode: code, reason }: Item, isDone: boolean): { code: string; description: string } {
  return { code, description: withoutSensitive(reason === '' ? (isDone ? 'Carried out' : 'Failed') : reason) }
}

const movement =
  (type: 'capture' | 'cancel' | 'refund', isDone: (item: Item) => boolean): Reading =>
  (item) => ({
    kind: 'movement',
    type,
    isDone: isDone(item),
    wasAccepted: isDone === never,
    ...wordsOf(item, isDone(item)),
    holdSeconds: 0,
  })
const bySuccess = ({ success }: Item) => success
const never = () => false
const nothing: Reading = () => ({ kind: 'nothing' })

/** A sale that is declined for want of authentication is tried once more, under the same reference: so its refusal says nothing. */
const authorisation: Reading = (item) => {
  const reason = item.success ? null : declineReasonByWords(item.reason)
  if (reason === 'authentication_required') return { kind: 'nothing' }
  return {
    kind: 'movement',
    type: 'sale',
    isDone: item.success,
    ...wordsOf(item, item.success),
    holdSeconds: HOLD_SECONDS,
    authentication: resultInNews(item.additionalData),
    ...(reason !== null && { reason }),
  }
}
const unheardOf: Reading = ({ eventCode }) => ({
  kind: 'unknown',
  why: `The service does not know Adyen's event ${withoutSensitive(eventCode)}.`,
})
const readingOf = ({ eventCode }: Item): Reading =>
  (Object.hasOwn(SAYS, eventCode) ? SAYS[eventCode] : undefined) ?? unheardOf
/** Of a reversal, which cancels what is not taken yet and refunds what is. */
const cancelOrRefund: Reading = (item) =>
  movement(item.additionalData?.['modification.action'] === 'cancel' ? 'cancel' : 'refund', bySuccess)(item)
/** Says something only when it has come about. */
const onceDone =
  (says: Says): Reading =>
  ({ success }) =>
    success ? says : { kind: 'nothing' }

/** What each of Adyen's events says (docs.adyen.com, "Webhook types"), by its `eventCode`; those of disputes: adyen-disputes.ts. */
const SAYS: Readonly<Record<string, Reading>> = {
  AUTHORISATION: authorisation,
  AUTHORISATION_ADJUSTMENT: onceDone({ kind: 'authorisation_changed' }),
  CAPTURE: movement('capture', bySuccess),
  CAPTURE_FAILED: movement('capture', never),
  CANCELLATION: movement('cancel', bySuccess),
  TECHNICAL_CANCEL: movement('cancel', bySuccess),
  CANCEL_OR_REFUND: cancelOrRefund,
  EXPIRE: onceDone({ kind: 'hold_ended' }),
  REFUND: movement('refund', bySuccess),
  REFUND_FAILED: movement('refund', never),
  REFUNDED_REVERSED: movement('refund', never),
  NOTIFICATION_OF_FRAUD: fraudWarningOf,
  AUTORESCUE: nothing,
  CANCEL_AUTORESCUE: nothing,
  MANUAL_REVIEW_ACCEPT: nothing,
  MANUAL_REVIEW_REJECT: nothing,
  OFFER_CLOSED: nothing,
  ORDER_CLOSED: nothing,
  ORDER_OPENED: nothing,
  PAIDOUT_REVERSED: nothing,
  PAYOUT_DECLINE: nothing,
  PAYOUT_EXPIRE: nothing,
  PAYOUT_THIRDPARTY: nothing,
  POSTPONED_REFUND: nothing,
  RECURRING_CONTRACT: nothing,
  REFUND_WITH_DATA: nothing,
  REPORT_AVAILABLE: nothing,
  VOID_PENDING_REFUND: nothing,
}
