/** The master key of the proofs' services: all that use one database need the same. */
export const VAULT_KEYS = `proof:${Buffer.alloc(32, 7).toString('base64')}`
