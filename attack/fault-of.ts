import * as v from 'valibot'
import { Envelope } from '../src/contract/api/envelope.ts'
import { isFaultDocument } from '../src/service/testing/is-fault-document.ts'
import type { RawAnswer } from './target.ts'

/** A short request must not get a long refusal: attackers could use that to make the service send much. */
const MAX_ERROR_BYTES = 16 * 1024

/**
 * What is wrong with the answer to a hostile request; null when nothing is. A refusal must be short and in the envelope, in the
 * document in place of a card form, or in the words of OAuth; nothing may be the service's own fault; and no secret may be in it.
 */
export function faultOf(
  { status, text }: Pick<RawAnswer, 'status' | 'text'>,
  secrets: readonly string[],
): string | null {
  if (status === 0) return `no answer: ${text}`
  if (status >= 500) return `answered ${String(status)}`
  if (secrets.some((secret) => text.includes(secret))) return 'the answer holds a secret'
  if (status < 400) return null
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_ERROR_BYTES) return `an error of ${String(bytes)} bytes`
  if (isFaultDocument({ status, text })) return null
  const envelope = envelopeOf(text)
  if (envelope === null && isTokenRefusal(text)) return null
  if (envelope === null) return `${String(status)} without the envelope`
  return envelope.status === status && envelope.error !== null
    ? null
    : `the envelope of a ${String(status)} says otherwise`
}

/** As RFC 6749, section 5.2, has it: the answer of the token endpoint. */
const TokenRefusal = v.strictObject({
  error: v.picklist(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
  error_description: v.string(),
})

function isTokenRefusal(text: string): boolean {
  try {
    return v.is(TokenRefusal, JSON.parse(text))
  } catch {
    return false
  }
}

export function envelopeOf(text: string): Envelope | null {
  try {
    return v.parse(Envelope, JSON.parse(text))
  } catch {
    return null
  }
}
