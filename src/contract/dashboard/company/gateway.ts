import * as v from 'valibot'
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
})
export type GatewayView = v.InferOutput<typeof GatewayView>

/**
 * A type of gateway at which merchants can have accounts, in the list of `GET /api/gateway_types`. `words` name the parts of an account, as the
 * gateway's own pages do; `usual_url` is the address that is proposed; `can` says what there is beyond payments.
 */
export const GatewayType = v.strictObject({
  type: v.string(),
  name: v.string(),
  words: v.strictObject({ api_key: v.string(), merchant_account: v.string(), base_url: v.string() }),
  usual_url: v.string(),
  can: v.strictObject({
    partial_capture: v.boolean(),
    look_up: v.boolean(),
    notifications: v.boolean(),
    disputes: v.boolean(),
  }),
})
export type GatewayType = v.InferOutput<typeof GatewayType>

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

/** Body of `PATCH /api/gateways/:id`: it takes the place of the default. */
export const GatewayChange = v.strictObject({ is_default: v.literal(true, 'must be true') })

/** Answer of `POST /api/gateways/:id/test`: whether the gateway lets the merchant in, in words. No money was moved. */
export const GatewayTest = v.strictObject({ ok: v.boolean(), message: v.string() })
export type GatewayTest = v.InferOutput<typeof GatewayTest>
