import ipaddr from 'ipaddr.js'

/** Where every global address of IPv6 is (IANA); outside of it are those that stand for an IPv4 address, too. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local or otherwise special. IPv6
 * addresses that lead on to an IPv4 one (mapped, compatible, translated, 6to4, Teredo) are none, but for the mapped ones,
 * which are that address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return plain.range() === 'unicast' && (plain instanceof ipaddr.IPv4 || plain.match(GLOBAL))
}
