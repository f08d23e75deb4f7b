import * as v from 'valibot'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))

/**
 * What an operator enters for a merchant's account at Adyen; it is kept sealed. `base_url` ends with the API's version,
 * such as https://checkout-test.adyen.com/v72, and is https unless it is this machine.
 */
export const AdyenAccount = v.object({
  api_key: text,
  merchant_account: text,
  base_url: v.pipe(
    text,
    v.transform((url) => url.replace(/\/+$/, '')),
    v.check(isSafeUrl, 'must be an https:// URL'),
  ),
})
export type AdyenAccount = v.InferOutput<typeof AdyenAccount>

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isBare = username === '' && search === '' && hash === ''
  return isBare && (protocol === 'https:' || (protocol === 'http:' && isHere))
}
