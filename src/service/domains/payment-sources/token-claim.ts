/** Erases all that a row has kept of its card's number and code. */
export const ERASED = 'card_number = NULL, card_ccv = NULL, wrapped_data_key = NULL'

/**
 * A token's part in a money movement, as SQL that the movement runs within its own statement, so that the two
 * can't come apart. `token` (its hash), `merchant` and `attempt` are SQL, such as `:token_hash`.
 */
export const tokenClaim = {
  /** Takes the token for one attempt; returns no row when it is not there to be taken. */
  take: ({ token, merchant, attempt }: { token: string; merchant: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET attempt_id = ${attempt}
     WHERE token_hash = ${token} AND merchant_id = ${merchant}
       AND attempt_id IS NULL AND card_number IS NOT NULL AND expires_at > now()
     RETURNING token_hash`,
  /** Spends it and erases the card: the code may not outlive its authorisation (PCI DSS 3.3.1). */
  spend: ({ token, attempt }: { token: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET spent_at = now(), ${ERASED}
     WHERE token_hash = ${token} AND attempt_id = ${attempt}`,
  /** Gives it back: nothing was sent. */
  release: ({ token, attempt }: { token: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET attempt_id = NULL WHERE token_hash = ${token} AND attempt_id = ${attempt}`,
} as const
