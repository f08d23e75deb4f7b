/** Keys that sign the tokens of checkouts: the current one signs, every known one verifies. */
export interface SigningKeys {
  current: { id: string; key: Uint8Array }
  byId: (id: string) => Uint8Array | undefined
}

/**
 * One signing key per master key, named alike, from the service's secrets, that of the current key first: who rotates the
 * master keys rotates these.
 */
export function signingKeysOf(secrets: ReadonlyMap<string, Uint8Array>): SigningKeys {
  const [current] = secrets
  if (current === undefined) throw new Error('there is no secret to sign with')
  return { current: { id: current[0], key: current[1] }, byId: (id) => secrets.get(id) }
}
