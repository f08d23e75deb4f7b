/** Keys that sign the tokens of checkouts: the current one signs, every known one verifies. */
export interface SigningKeys {
  current: { id: string; key: Uint8Array }
  byId: (id: string) => Uint8Array | undefined
}

/**
 * The signing keys among the service's secrets: one per master key, under the master key's id, the current one first. So they
 * are rotated with the master keys.
 */
export function signingKeysOf(secrets: ReadonlyMap<string, Uint8Array>): SigningKeys {
  const [current] = secrets
  if (current === undefined) throw new Error('there is no secret to sign with')
  return { current: { id: current[0], key: current[1] }, byId: (id) => secrets.get(id) }
}
