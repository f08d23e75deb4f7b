import * as v from 'valibot'
import { LAMP, MAX_QUANTITY } from './catalogue.ts'

/** The quantity of an item, as a form sends it. */
export const Quantity = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^[1-9]\d?$/),
  v.transform(Number),
  v.maxValue(MAX_QUANTITY),
)

/** The order that the product page's form asks for. */
export const CheckoutQuery = v.object({
  item: v.fallback(v.string(), LAMP.id),
  quantity: v.fallback(Quantity, 1),
})
