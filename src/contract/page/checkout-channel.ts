import * as v from 'valibot'
import { Welcome } from './widget-channel.ts'

/** The welcome of a checkout's frame: the intent's token comes by the port's message and never by an address. */
export const CheckoutWelcome = v.strictObject({
  ...Welcome.entries,
  token: v.pipe(v.string(), v.maxLength(4096)),
})
export type CheckoutWelcome = v.InferOutput<typeof CheckoutWelcome>
