import { BlockList, isIPv6 } from 'node:net'

/** Whether an address is one of these addresses and networks (`10.0.0.0/8`), whose form is known to be right. */
export function trustOf(networks: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (address) => address !== '' && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
