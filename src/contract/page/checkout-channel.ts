import * as v from 'valibot'
import { Welcome } from './widget-channel.ts'

/** The welcome to a checkout's frame. The intent's token comes in this message and is never part of an address. */
export const CheckoutWelcome = v.strictObject({
  ...Welcome.entries,
  token: v.pipe(v.string(), v.maxLength(4096)),
})
export type CheckoutWelcome = v.InferOutput<typeof CheckoutWelcome>
