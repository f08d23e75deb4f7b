/** Of the 32 hex digits of a token, the last seven are worked out from those before: 94 random bits are left. */
const DIGITS = 32
const CHECKED = 25
const CHECK_BITS = 28

/**
 * The one-time token made of 16 random bytes: a UUID of version 4 (RFC 9562) that ends in check digits. By them it differs from
 * UUIDs that merchants use as references: one in 268 million of those has the right ones by chance.
 */
export function oneTimeTokenOf(bytes: Uint8Array): string {
  const digits = Uint8Array.from({ length: DIGITS }, (_, at) => {
    const byte = bytes[at >> 1] ?? 0
    return at % 2 === 0 ? byte >> 4 : byte & 15
  })
  digits[12] = 4
  digits[16] = 8 | ((digits[16] ?? 0) & 3)
  const check = checkOf(digits, 0)
    .toString(16)
    .padStart(DIGITS - CHECKED, '0')
  const hex = Array.from(digits.subarray(0, CHECKED), (digit) => digit.toString(16)).join('') + check
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Whether the 32 hex digits (0 to 15) from a place on are a token's. */
export function isOneTimeToken(digits: Uint8Array, from: number): boolean {
  if (digits[from + 12] !== 4 || ((digits[from + 16] ?? 0) & 12) !== 8) return false
  let given = 0
  for (let at = from + CHECKED; at < from + DIGITS; at += 1) given = (given << 4) | (digits[at] ?? 0)
  return given === checkOf(digits, from)
}

/** FNV-1a and the last steps of MurmurHash3: quick, and far apart for digits that are nearly the same. It keeps nothing secret. */
function checkOf(digits: Uint8Array, from: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < from + CHECKED; at += 1) hash = Math.imul(hash ^ (digits[at] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (2 ** CHECK_BITS - 1)
}
