import type { FastifyRequest } from 'fastify'

/** The address that a request came from; a socket that takes both protocols writes IPv4 addresses the long way. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip
}

/** Whom an address counts for: itself, or in IPv6 its /64, of which one caller has every address. */
export function callerOf(request: Pick<FastifyRequest, 'ip'>): string {
  const address = addressOf(request)
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0'), ...after)
  }
  return groups.slice(0, 4).join(':')
}
