import type Stripe from 'stripe'
import * as v from 'valibot'
import fixtures from './stripe-fixtures.json' with { type: 'json' }

const { payment_intent, charge, refund } = fixtures
/** When the double's payments were made, in seconds: as the fixtures have it. */
const CREATED = payment_intent.created
/** How long the double's holds last, in seconds. */
export const HOLD_SECONDS = 6 * 24 * 3600

type Change = Readonly<Record<string, unknown>>

/** Resources as Stripe's own fixtures have them, with some fields of one's own. */
export const intentLike = (change: Change): object => ({
  ...payment_intent,
  ...{ currency: 'aud', canceled_at: null, next_action: null, processing: null, transfer_data: null },
  ...{ last_payment_error: null, automatic_payment_methods: null, shipping: null },
  ...change,
})
/** `threeDSecure`: what the card holder's bank said. */
export const chargeLike = (change: Change, threeDSecure: object | null = null): object => ({
  ...charge,
  currency: 'aud',
  payment_method_details: {
    ...charge.payment_method_details,
    card: {
      ...charge.payment_method_details.card,
      capture_before: CREATED + HOLD_SECONDS,
      three_d_secure: threeDSecure,
    },
  },
  ...change,
})
export const refundLike = (change: Change): object => ({ ...refund, currency: 'aud', ...change })
export const disputeLike = (change: Change): object => ({ ...fixtures.dispute, currency: 'aud', ...change })
export const fileLike = (change: Change): object => ({ ...fixtures.file, ...change })
export const eventLike = (change: Change): object => ({ ...fixtures.event, ...change })
export const accountLike = (change: Change): object => ({ ...fixtures.account, ...change })

const digits = v.pipe(v.string(), v.regex(/^\d+$/))
const metadata = v.optional(v.record(v.string(), v.string()))
const expand = v.optional(v.strictObject({ 0: v.literal('latest_charge') }))
const NOTHING = v.strictObject({})

interface Operation {
  method: 'GET' | 'POST'
  path: RegExp
  /** The parameters that the adapter may send; all of Stripe's that are not here are a fault of it. */
  params: v.GenericSchema
  /** What the answer is like; a list is like its entries. */
  answer: Change
}

const CardOptions = v.strictObject({
  request_three_d_secure: v.optional(v.picklist(['any', 'automatic', 'challenge'])),
  three_d_secure: v.optional(
    v.strictObject({
      version: v.picklist(['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1']),
      electronic_commerce_indicator: v.picklist(['01', '02', '05', '06', '07']),
      cryptogram: v.string(),
      transaction_id: v.string(),
      ares_trans_status: v.optional(v.picklist(['A', 'C', 'I', 'N', 'R', 'U', 'Y'])),
      exemption_indicator: v.optional(v.picklist(['low_risk', 'none'])),
    }),
  ),
})

const OF_DISPUTE = /^\/v1\/disputes\/[^/?]+$/
const fileId = v.optional(v.pipe(v.string(), v.startsWith('file_')))
/** The fields of evidence that are files. */
const FILE_FIELDS = [
  ...(['cancellation_policy', 'customer_communication', 'customer_signature'] as const),
  ...(['duplicate_charge_documentation', 'receipt', 'refund_policy'] as const),
  ...(['service_documentation', 'shipping_documentation', 'uncategorized_file'] as const),
] satisfies (keyof Stripe.DisputeUpdateParams.Evidence)[]

const intent: Change = payment_intent
/** The operations of Stripe's API that the adapter uses. */
export const operations: readonly Operation[] = [
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    params: v.strictObject({
      amount: digits,
      currency: v.pipe(v.string(), v.regex(/^[a-z]{3}$/)),
      capture_method: v.picklist(['automatic', 'manual']),
      allowed_payment_method_types: v.strictObject({ 0: v.literal('card') }),
      metadata,
      // With the name of an account, which has up to 10 characters, and `* ` no more than 22.
      statement_descriptor_suffix: v.optional(
        v.pipe(v.string(), v.maxLength(10), v.regex(/^[^<>\\'"*]*[A-Za-z][^<>\\'"*]*$/)),
      ),
    }),
    answer: intent,
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/[^/?]+\?expand\[\]=latest_charge$/,
    params: NOTHING,
    answer: intent,
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/[^/]+\/confirm$/,
    params: v.strictObject({
      payment_method_data: v.strictObject({
        type: v.literal('card'),
        card: v.strictObject({
          number: digits,
          exp_month: v.pipe(digits, v.maxLength(2)),
          exp_year: v.pipe(digits, v.length(4)),
          cvc: v.optional(digits),
        }),
        billing_details: v.strictObject({ name: v.string(), email: v.optional(v.string()) }),
      }),
      error_on_requires_action: v.optional(v.literal('true')),
      return_url: v.optional(v.pipe(v.string(), v.url())),
      payment_method_options: v.optional(v.strictObject({ card: CardOptions })),
      expand,
    }),
    answer: intent,
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/[^/]+\/capture$/,
    params: v.strictObject({ amount_to_capture: digits, metadata }),
    answer: intent,
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/[^/]+\/cancel$/,
    params: v.strictObject({ cancellation_reason: v.optional(v.literal('abandoned')) }),
    answer: intent,
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    params: v.strictObject({ payment_intent: v.string(), amount: digits, metadata }),
    answer: refund,
  },
  { method: 'GET', path: /^\/v1\/refunds\?payment_intent=[^&]+&limit=100$/, params: NOTHING, answer: refund },
  { method: 'GET', path: /^\/v1\/account$/, params: NOTHING, answer: fixtures.account },
  { method: 'GET', path: OF_DISPUTE, params: NOTHING, answer: fixtures.dispute },
  { method: 'POST', path: /^\/v1\/disputes\/[^/?]+\/close$/, params: NOTHING, answer: fixtures.dispute },
  {
    method: 'POST',
    path: OF_DISPUTE,
    params: v.strictObject({
      evidence: v.strictObject({
        ...v.entriesFromList(FILE_FIELDS, fileId),
        uncategorized_text: v.optional(v.string()),
      }),
      submit: v.literal('true'),
      metadata,
    }),
    answer: fixtures.dispute,
  },
  {
    method: 'POST',
    path: /^\/v1\/files$/,
    params: v.strictObject({
      purpose: v.literal('dispute_evidence'),
      file: v.strictObject({
        name: v.string(),
        type: v.picklist(['application/pdf', 'image/jpeg', 'image/png']),
        size: v.number(),
      }),
    }),
    answer: fixtures.file,
  },
]

const operationOf = (method: string, path: string) =>
  operations.find((one) => one.method === method && one.path.test(path))

/** Why Stripe would not understand a request; empty when it would. No value is shown: it may be a card number. */
export function faultsOfRequest(method: string, path: string, params: unknown): string[] {
  const operation = operationOf(method, path)
  if (operation === undefined) return ['there is no such operation']
  const parsed = v.safeParse(operation.params, params)
  if (parsed.success) return []
  return parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''} must be ${issue.expected ?? 'otherwise'}`)
}

const List = v.object({ object: v.literal('list'), data: v.array(v.record(v.string(), v.unknown())) })
const Resource = v.record(v.string(), v.unknown())
const ErrorBody = v.strictObject({
  error: v.looseObject({ type: v.string(), message: v.string(), code: v.optional(v.string()) }),
})

/** Why Stripe would not answer such a request like this; empty when it may. */
export function faultsOfAnswer(method: string, path: string, status: number, body: unknown): string[] {
  const operation = operationOf(method, path)
  if (operation === undefined) return []
  if (status !== 200)
    return v.is(ErrorBody, body) ? [] : ['a refusal is an object with an error that has a type and a message']
  const list = v.safeParse(List, body)
  const resources = list.success ? list.output.data : [v.parse(Resource, body)]
  return resources.flatMap((resource) => unlike(resource, operation.answer, ''))
}

/** Where a resource has other fields than a fixture, or a field of another type; null goes for any type. */
function unlike(resource: Change, fixture: Change, place: string): string[] {
  const missing = Object.keys(fixture).filter((name) => !Object.hasOwn(resource, name))
  const found = Object.entries(resource).flatMap(([name, value]) => {
    const at = `${place}${name}`
    const like = fixture[name]
    if (!Object.hasOwn(fixture, name)) return SOMETIMES.has(name) ? [] : [`${at} is no field of it`]
    if (value === null || like === null || FREE.has(name)) return []
    return typeof value === typeof like ? [] : [`${at} must be ${typeof like}`]
  })
  return [...missing.map((name) => `${place}${name} is missing`), ...found]
}

/** An id or, where it was asked for, the resource itself; words of one's own. */
const FREE = new Set(['latest_charge', 'metadata'])
/** Fields that only some resources have: of refunds, those that failed. */
const SOMETIMES = new Set(['failure_reason'])
