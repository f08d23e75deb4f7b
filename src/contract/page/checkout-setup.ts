import * as v from 'valibot'
import { DocumentLanguage } from './frame-setup.ts'

/** What the service embeds in a checkout's document: where to ask. What is to be paid comes with the intent's token. */
export const CheckoutSetup = v.object({
  session_url: v.string(),
  payments_url: v.string(),
  tokens_url: v.string(),
  /** Where the texts of another language are: `{languages_url}{code}.json`. */
  languages_url: v.string(),
  language: DocumentLanguage,
})
export type CheckoutSetup = v.InferOutput<typeof CheckoutSetup>
