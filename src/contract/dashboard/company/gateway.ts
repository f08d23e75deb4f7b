import * as v from 'valibot'
import { AUTHENTICATION_WISHES } from '../../api/charges/authentication.ts'
import { Identifier } from '../../api/fields/identifier.ts'
import { singleLineText } from '../../api/fields/single-line-text.ts'
import { text } from '../../api/fields/text.ts'

/** A gateway in the list of `GET /api/gateways`. What was entered for it never comes back. */
export const GatewayView = v.strictObject({
  id: Identifier,
  name: v.string(),
  type: v.string(),
  is_default: v.boolean(),
  has_credentials: v.boolean(),
  /** Whether its card holders are authenticated, where neither the request nor the template says so. */
  authentication: v.picklist(AUTHENTICATION_WISHES),
})
export type GatewayView = v.InferOutput<typeof GatewayView>

/** Data of `GET /api/gateways/:id`: a gateway with what may be shown of its account, which is all but its key; null where there is none. */
export const GatewayDetail = v.strictObject({
  ...GatewayView.entries,
  account: v.nullable(v.strictObject({ merchant_account: v.string(), base_url: v.string() })),
})
export type GatewayDetail = v.InferOutput<typeof GatewayDetail>

/** The parts of an account, each in words. */
const parts = v.strictObject({ api_key: v.string(), merchant_account: v.string(), base_url: v.string() })

/**
 * A type of gateway at which merchants can have accounts, in the list of `GET /api/gateway_types`. `words` name the parts of an account, as the
 * gateway's own pages do, and `finding` where each is found there; `beforehand`: what the gateway has to allow first; `usual_url` is the
 * address that is proposed; `can` says what there is beyond payments; `setup` how its notifications are set up, null if it sends none.
 */
export const GatewayType = v.strictObject({
  type: v.string(),
  name: v.string(),
  words: parts,
  finding: parts,
  beforehand: v.string(),
  usual_url: v.string(),
  can: v.strictObject({
    partial_capture: v.boolean(),
    look_up: v.boolean(),
    notifications: v.boolean(),
    disputes: v.boolean(),
    authentication: v.boolean(),
  }),
  setup: v.nullable(
    v.strictObject({
      /** It sends a user and a password, which this service makes. */
      has_password: v.boolean(),
      /** What the key is called there by which it signs, and where it is found. */
      signing_key: v.strictObject({ name: v.string(), finding: v.string() }),
      /** What to do there, in order, up to the key. */
      steps: v.array(v.string()),
      events: v.array(v.string()),
      /** How to have it send a test. */
      test: v.string(),
    }),
  ),
})
export type GatewayType = v.InferOutput<typeof GatewayType>

export type GatewaySetup = NonNullable<GatewayType['setup']>

const Name = singleLineText(100)

/** Body of `POST /api/gateways`. `base_url`: of the gateway's API; Adyen's has a version in it. */
export const GatewayRequest = v.strictObject({
  name: Name,
  type: text(50),
  is_default: v.boolean(),
  credentials: v.strictObject({
    api_key: text(1000),
    merchant_account: text(200),
    base_url: text(300),
  }),
})
export type GatewayRequest = v.InferOutput<typeof GatewayRequest>

/** Answer of `POST /api/gateways`. `unchecked`: why the gateway could not be asked about the account; null if it takes it. */
export const AddedGateway = v.strictObject({ ...GatewayView.entries, unchecked: v.nullable(v.string()) })
export type AddedGateway = v.InferOutput<typeof AddedGateway>

/** Body of `PUT /api/gateways/:id/credentials`: another key, and perhaps another address, of the same account. */
export const CredentialsChange = v.strictObject({ api_key: text(1000), base_url: text(300) })

/** Body of `PATCH /api/gateways/:id`: it takes the place of the default, or another wish of authentication holds from now on. */
export const GatewayChange = v.union(
  [
    v.strictObject({ is_default: v.literal(true, 'must be true') }),
    v.strictObject({ authentication: v.picklist(AUTHENTICATION_WISHES) }),
  ],
  'must be is_default, true, or authentication: automatic, challenge or never',
)

/** Answer of `POST /api/gateways/:id/test`: whether the gateway lets the merchant in, in words. No money was moved. */
export const GatewayTest = v.strictObject({ ok: v.boolean(), message: v.string() })
export type GatewayTest = v.InferOutput<typeof GatewayTest>

const timestamp = v.nullable(v.pipe(v.string(), v.isoTimestamp()))

/**
 * Whether an account's notifications arrive. `missing`: they are not set up; `waiting`, `refused`: none has come by the newest secrets yet,
 * and of the latter some were refused; `silent`: they have come, and do not any more; `arrives`.
 */
const arrival = v.picklist(['missing', 'waiting', 'refused', 'silent', 'arrives'])
export type GatewayArrival = v.InferOutput<typeof arrival>

/** One of the list of `GET /api/gateway_arrivals`, which has the accounts that can send notifications; `id` is the gateway's. */
export const ListedArrival = v.strictObject({ id: Identifier, arrival })
export type ListedArrival = v.InferOutput<typeof ListedArrival>

/** Data of `GET /api/gateways/:id/notifications`: what is set up, and whether notifications arrive. Secrets are not among it. */
export const GatewayNotifications = v.strictObject({
  arrival,
  /** What is entered at the gateway. */
  url: v.string(),
  /** The user that it sends; null before one was made, or where it sends none. */
  user: v.nullable(v.string()),
  has_signing_key: v.boolean(),
  /** Whether a key or password from before the last change is still good. */
  has_former: v.boolean(),
  changed_at: timestamp,
  /** When the last one came that was proved; `newest_heard_at`: proved by what was entered last. Null if none has. */
  heard_at: timestamp,
  newest_heard_at: timestamp,
  /** Those since the last change that nothing proved; `why` says what to put right, of the last one. */
  refused: v.nullable(v.strictObject({ count: v.number(), at: v.string(), why: v.string() })),
  /** Up to 1,000: to be worked off, contradicting a charge or of a payment that none has, and not to be read. */
  waiting: v.number(),
  unexplained: v.number(),
  not_understood: v.number(),
  /** When the last payment was made of those that are more than a day old, if no notification has come since; else null. */
  silent_since: timestamp,
})
export type GatewayNotifications = v.InferOutput<typeof GatewayNotifications>

/** Body of `PUT /api/gateways/:id/notifications/signing_key`. */
export const SigningKeyRequest = v.strictObject({ signing_key: text(500) })

/** Answer of `POST /api/gateways/:id/notifications/password`: shown here once. */
export const MadePassword = v.strictObject({ url: v.string(), user: v.string(), password: v.string() })
export type MadePassword = v.InferOutput<typeof MadePassword>

/**
 * Answer of `POST /api/gateways/:id/notifications/test`: whether the address leads to this service. `only_here`: from its own network, or
 * unencrypted, which is of no use to a gateway.
 */
export const ReachResult = v.strictObject({
  state: v.picklist(['reached', 'only_here', 'failed']),
  message: v.string(),
})
export type ReachResult = v.InferOutput<typeof ReachResult>
