import { createHash, randomInt } from 'node:crypto'

/** How many a person gets. */
const CODES = 10

/** 31 letters and digits that are told apart in every handwriting: no `i`, `l`, `o`, `0` or `1`. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const LETTERS_PER_GROUP = 4

/** Ten new codes such as `k7wp-3xmd-9qhr-t2ce`, each of 79 random bits. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, createRecoveryCode)
}

function createRecoveryCode(): string {
  const group = () =>
    Array.from({ length: LETTERS_PER_GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** What is kept of a code, however it was typed. Its 79 random bits are too many to try, so one round of SHA-256 is enough. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${userId} ${letters}`).digest()
}
