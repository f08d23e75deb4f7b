import ipaddr from 'ipaddr.js'

/** Whether a text names an address (`10.0.0.1`, `::1`) or a network (`10.0.0.0/8`), written out in full. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/')
  return isWrittenOut(address) && (address === text || ipaddr.isValidCIDR(text))
}

/** Tells whether an address, in whatever form, lies in one of these networks, each of which `isNetwork`. */
export function withinNetworks(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map(rangeOf)
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const plain = ipaddr.process(address)
    return ranges.some((range) => range[0].kind() === plain.kind() && plain.match(range))
  }
}

/** IPv4 has short, octal and hexadecimal forms too, which programs read differently. */
function isWrittenOut(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
}

function rangeOf(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (network.includes('/')) return ipaddr.parseCIDR(network)
  const address = ipaddr.process(network)
  return [address, address.toByteArray().length * 8]
}
