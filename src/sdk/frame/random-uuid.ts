/**
 * A random UUID: the end of the address that a browser gives to a blob. Not `crypto.randomUUID`, which a page
 * without https lacks: developers try their shop on a phone by the address of their desk's computer.
 */
export function randomUuid(): string {
  const address = URL.createObjectURL(new Blob())
  URL.revokeObjectURL(address)
  return address.slice(-36)
}
