import * as v from 'valibot'
import { Identifier } from '../../api/fields/identifier.ts'
import { isPageOrigin } from '../../api/fields/page-origin.ts'
import { singleLineText } from '../../api/fields/single-line-text.ts'

/** Answer of `GET /api/company`. */
export const CompanyView = v.strictObject({
  id: Identifier,
  name: v.string(),
  /** Whether it may hold funds and capture later. The operator of the service turns that on. */
  pre_auth: v.boolean(),
})
export type CompanyView = v.InferOutput<typeof CompanyView>

/** Body of `PATCH /api/company`. Payers read the name in the checkout. */
export const CompanyChange = v.strictObject({ name: singleLineText(100) })
export type CompanyChange = v.InferOutput<typeof CompanyChange>

const MAX_ORIGINS = 100

/** `GET` and `PUT /api/origins`: whose pages may show the card form and the checkout; none: every page may. */
export const Origins = v.strictObject({
  allowed_origins: v.pipe(
    v.array(
      v.pipe(
        v.string(),
        v.check(
          isPageOrigin,
          'must be an origin as a browser writes it, such as https://shop.example or https://*.shop.example',
        ),
      ),
    ),
    v.maxLength(MAX_ORIGINS, `must be at most ${String(MAX_ORIGINS)}`),
  ),
})
export type Origins = v.InferOutput<typeof Origins>
