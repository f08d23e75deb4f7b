/**
 * A random UUID. `crypto.randomUUID` is missing in documents without https, such as a developer's shop and its card form that are opened
 * on a phone by the computer's network address: there it is taken from the address that a browser gives to a blob, which jsdom does not.
 */
export function randomUuid(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID()
  const address = URL.createObjectURL(new Blob())
  URL.revokeObjectURL(address)
  return address.slice(-36)
}
