import * as v from 'valibot'
import { LAMP } from './catalogue.ts'
import { Quantity } from './quantity.ts'

/** What is to be checked out, as the product page's form asks for it. */
export const CheckoutQuery = v.object({
  item: v.fallback(v.string(), LAMP.id),
  quantity: v.fallback(Quantity, 1),
})
