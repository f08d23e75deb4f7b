import * as v from 'valibot'
import { AdyenAccount } from './adyen/adyen-account.ts'

/** The credentials to be kept, or which field is wrong and why. */
export type EnteredCredentials = { credentials: unknown } | { path: string; message: string }

/** Adyen's own servers, test and live, with the API's version. */
const ADYEN =
  /^https:\/\/(?:checkout-test\.adyen\.com|[a-z\d-]+-checkout-live\.adyenpayments\.com\/checkout)\/v\d{1,3}$/

/**
 * What a person enters on the dashboard for an account at a gateway. Cards are sent to the server that it names, so no person
 * of a merchant may name any but the gateway's own: an operator may. In sandbox, where there are no real cards, it may also
 * be on this machine.
 */
export function enteredCredentials(
  type: string,
  credentials: unknown,
  isSandbox: boolean,
): EnteredCredentials {
  if (type !== 'adyen') return { path: 'type', message: 'must be adyen' }
  const parsed = v.safeParse(AdyenAccount, credentials)
  if (!parsed.success) {
    const [issue] = parsed.issues
    return { path: v.getDotPath(issue) ?? '', message: issue.message }
  }
  const { base_url: url } = parsed.output
  const mayBe = ADYEN.test(url) || (isSandbox && url.startsWith('http://'))
  if (mayBe) return { credentials: parsed.output }
  return {
    path: 'base_url',
    message:
      'must be an address of Adyen, such as https://checkout-test.adyen.com/v72 or https://PREFIX-checkout-live.adyenpayments.com/checkout/v72',
  }
}
