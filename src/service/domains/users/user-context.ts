import type { FastifyRequest } from 'fastify'
import type { CallerKey } from '../../platform/http/callers/sender.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import { withoutSensitiveInStartOf } from '../../platform/secrets/secret-in-text.ts'

/** Who is signed in, and where the request came from. */
export interface UserContext {
  session: Session
  requester: Requester
}

/** Where a request came from, as the audit log and the list of sessions show it. */
export interface Requester {
  address: string
  /** Limits count the request for this network. */
  network: CallerKey
  userAgent: string
  /** At sign-in, the hash of the browser's device cookie; otherwise null. */
  device: string | null
}

const LONGEST_USER_AGENT = 256

/** The user agent is cut, and kept without card numbers and secrets. */
export function requesterOf(request: Pick<FastifyRequest, 'sender' | 'headers'>): Requester {
  const userAgent = withoutSensitiveInStartOf(request.headers['user-agent'] ?? '', LONGEST_USER_AGENT)
  const { address, caller: network } = request.sender
  return { address, network, userAgent, device: null }
}

/** What sign-in recognises a person by: first the browser, then the network, which others may share. */
export function placesOf({ network, device }: Requester): string[] {
  return device === null ? [network] : [device, network]
}
