import { promises as dns } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { NoAnswer } from './no-answer.ts'

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

/** How long one DNS server is waited for, and how often it is asked. */
const QUESTION = { timeout: 2000, tries: 2 }

const LOCAL: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

interface Resolver {
  resolve4: (name: string) => Promise<string[]>
  resolve6: (name: string) => Promise<string[]>
}

/**
 * Resolves host names that merchants give us, to allowed addresses only. The system's resolver has four threads for the whole
 * process, so four names whose server never answers would block all others. This one queries the DNS without threads, and knows
 * one name by itself: localhost (RFC 6761).
 */
export function createNameLookup(
  mayReach: (address: string) => boolean,
  resolver: Resolver = new dns.Resolver(QUESTION),
): LookupFunction {
  return (name, options, callback) => {
    const answer = async () => {
      const all = /(?:^|\.)localhost\.?$/i.test(name) ? LOCAL : await addressesOf(name, resolver)
      const wanted = all.filter(({ family }) => isAskedFor(family, options.family))
      const [first, ...others] = wanted.filter(({ address }) => mayReach(address))
      if (first === undefined) throw new NoAnswer(wanted.length === 0 ? 'ENOTFOUND' : 'NOT_PUBLIC', false)
      return [first, ...others] as const
    }
    answer().then(
      (found) => {
        if (options.all === true) callback(null, [...found])
        else callback(null, found[0].address, found[0].family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new NoAnswer('ENOTFOUND', false), ''),
    )
  }
}

function isAskedFor(family: number, asked: number | 'IPv4' | 'IPv6' | undefined): boolean {
  if (asked === undefined || asked === 0) return true
  return family === (asked === 6 || asked === 'IPv6' ? 6 : 4)
}

async function addressesOf(name: string, resolver: Resolver): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  if (four.status === 'rejected' && six.status === 'rejected') {
    const isUnknown = [four, six].every(({ reason }) => /NOTFOUND|NODATA/.test(String(reason)))
    throw new NoAnswer(isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN', false)
  }
  const found = (result: PromiseSettledResult<string[]>, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
  return [...found(four, 4), ...found(six, 6)]
}
