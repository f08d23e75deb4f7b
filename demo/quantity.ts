import * as v from 'valibot'
import { MAX_QUANTITY } from './catalogue.ts'

/** How many of an item, as a form sends it. */
export const Quantity = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_QUANTITY),
)
