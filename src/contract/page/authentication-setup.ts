import * as v from 'valibot'
import { DocumentLanguage } from './frame-setup.ts'

/** Set-up that the service embeds in the document that shows a bank's step. What the bank asks is read with the authentication's token. */
export const AuthenticationSetup = v.object({
  /** `GET` what the bank asks, `POST` what was told, `DELETE` to give up. */
  authentication_url: v.string(),
  /** Base address of the other languages' texts: `{languages_url}{code}.json`. */
  languages_url: v.string(),
  /** Whether a bank's page may come from this very machine by http, as the sandbox's does. */
  is_sandbox: v.boolean(),
  language: DocumentLanguage,
})
export type AuthenticationSetup = v.InferOutput<typeof AuthenticationSetup>

/** What the page to which a bank sends the browser back says to our own document around it: that it should ask the service now. */
export const BANK_RETURNED = 'svc-bank-returned'
