/** What the proofs' services wrap cards with: all on one database need the same. */
export const VAULT_KEYS = `proof:${Buffer.alloc(32, 7).toString('base64')}`
