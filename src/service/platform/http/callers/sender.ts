import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'

/** Where a request or connection came from. */
export interface Sender {
  /** Its address, written in one way. */
  address: string
  /** Whom every limit counts it for: one IPv4 address, or one IPv6 /64, of which one caller has every address. */
  caller: CallerKey
  /** The IPv6 /48 of the caller, of which one customer of a provider may have every /64; for IPv4 the caller once more. */
  site: CallerKey
}

/** Made by this file alone, so that no limit can count by anything else. */
const CallerKey = v.pipe(v.string(), v.brand('caller'))
export type CallerKey = v.InferOutput<typeof CallerKey>

declare module 'fastify' {
  interface FastifyRequest {
    sender: Sender
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Longer than any address with a zone, brackets and a port. */
const LONGEST_ADDRESS = 100
/** Proxies that stand one behind the other. */
const MAX_HOPS = 32

/** The sender at the other end of a socket. One whose address is not known any more counts with all others of that kind. */
export function senderAt(remoteAddress: string | undefined): Sender {
  return toSender(parsed(remoteAddress ?? '') ?? NOWHERE)
}

/**
 * Finds out who sent a request: the other end of its socket, or what `X-Forwarded-For` says where that is a trusted proxy, read from its
 * end for as long as it names trusted ones. What is no address (`unknown`, `_hidden`, an empty place) is not used: the request then
 * counts for the last trusted proxy. No other header is read.
 */
export function senderOf(request: IncomingMessage, isTrusted: (address: string) => boolean): Sender {
  const sender = known.get(request) ?? toSender(addressOf(request, isTrusted))
  known.set(request, sender)
  return sender
}

/** Many ask for the sender of one request. */
const known = new WeakMap<IncomingMessage, Sender>()

function addressOf({ socket, headers }: IncomingMessage, isTrusted: (address: string) => boolean): Address {
  let last = parsed(socket.remoteAddress ?? '') ?? NOWHERE
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  let end = forwarded.length
  for (let hops = 0; hops < MAX_HOPS && end > 0 && isTrusted(last.toString()); hops += 1) {
    const start = forwarded.lastIndexOf(',', end - 1) + 1
    const before = parsed(withoutPort(forwarded.slice(start, end)))
    if (before === null) break
    last = before
    end = start - 1
  }
  return last
}

/** Of `203.0.113.8:51234`, `[2001:db8::1]:443` and either in quotes, as some proxies and RFC 7239 write an address. */
function withoutPort(written: string): string {
  const plain = written.length > LONGEST_ADDRESS ? '' : written.trim().replace(/^"(.*)"$/, '$1')
  const [, v4, v6] = /^(?:([\d.]+)|\[([^[\]]*:[^[\]]*)\])(?::\d{1,5})?$/.exec(plain) ?? []
  return v4 ?? v6 ?? plain
}

/** Null for anything but an address. IPv4 is four decimal numbers without leading zeros: programs read its other forms differently. */
function parsed(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const [withoutZone = ''] = text.split('%')
  if (!withoutZone.includes(':') || !ipaddr.IPv6.isValid(withoutZone)) return null
  const address = ipaddr.IPv6.parse(withoutZone)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

const NOWHERE = ipaddr.IPv6.parse('::')

function toSender(address: Address): Sender {
  const one = address instanceof ipaddr.IPv6 ? (ipv4Within(address) ?? address) : address
  const [caller, site] =
    one instanceof ipaddr.IPv6
      ? [prefixOf(one, 4), `${prefixOf(one, 3)}::/48`]
      : [one.toString(), one.toString()]
  return { address: address.toString(), caller: v.parse(CallerKey, caller), site: v.parse(CallerKey, site) }
}

/** So many of the eight parts of an address. */
function prefixOf({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':')
}

/** Ranges in which each IPv4 address has addresses of its own, and where it stands in them: at which part, and whether inverted. */
const IPV4_WITHIN = [
  // NAT64 (RFC 6052): all of IPv4 would be one /64.
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), part: 6, mask: 0 },
  // 6to4 (RFC 3056): one IPv4 address has 65,536 of /64.
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), part: 1, mask: 0 },
  // Teredo (RFC 4380): all clients of one server would be one /64.
  { range: ipaddr.IPv6.parseCIDR('2001::/32'), part: 6, mask: 0xffff },
] as const

function ipv4Within(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const found = IPV4_WITHIN.find(({ range }) => address.match(range))
  if (found === undefined) return null
  const [high = 0, low = 0] = address.parts.slice(found.part, found.part + 2).map((part) => part ^ found.mask)
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
}

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
