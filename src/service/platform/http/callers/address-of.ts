import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The address that a request came from, written in one way. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return plainAddress(ip)
}

/** An address in its shortest form; a socket that takes both protocols writes IPv4 addresses the long way. */
export function plainAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/** Whom an address counts for: itself, or in IPv6 its /64, of which one caller has every address. */
export function rateLimitKeyOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
