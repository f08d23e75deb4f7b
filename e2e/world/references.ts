const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A reference that no test used before. It ends in letters, because digits in a row can be a card number by chance, which is refused. */
export function newReference(about: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `E2E-${about}-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
}
