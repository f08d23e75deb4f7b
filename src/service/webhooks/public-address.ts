import ipaddr from 'ipaddr.js'

/** Whether an IP address is one of the public internet: not private, loopback, link-local or otherwise special. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}
