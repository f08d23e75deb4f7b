import * as v from 'valibot'
import { DocumentLanguage, ServiceDay } from './frame-setup.ts'

/** Set-up that the service embeds in a checkout's document: its addresses. The amount is read with the intent's token. */
export const CheckoutSetup = v.object({
  session_url: v.string(),
  payments_url: v.string(),
  tokens_url: v.string(),
  /** Base address of what banks ask: `{authentications_url}{id}`. */
  authentications_url: v.string(),
  /** Base address of the other languages' texts: `{languages_url}{code}.json`. */
  languages_url: v.string(),
  today: ServiceDay,
  language: DocumentLanguage,
})
export type CheckoutSetup = v.InferOutput<typeof CheckoutSetup>
