import { createLocalJWKSet, errors } from 'jose'
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import { ServiceError } from '../../../platform/errors.ts'

interface Parts {
  /** Fetches the issuer's public keys; rejects when they can't be had. */
  read: () => Promise<JSONWebKeySet>
  clock: MonotonicClock
  /** After this, keys are read again, so that a withdrawn key is no longer accepted. */
  maxAgeMs: number
  /** An unknown key is asked for again after this, however many tokens name one. */
  coolDownMs: number
  /** While they can't be read, older keys than `maxAgeMs` are believed up to this age. */
  maxStaleAgeMs: number
}

interface Known {
  find: JWTVerifyGetKey
  readAt: number
}

export interface KeySet {
  /** Finds the key that a token names among those of its issuer, which are kept; rejects as `read` does when there are none. */
  keyOf: JWTVerifyGetKey
  /** Rejects while there is no key by which a token could be checked. */
  check: () => Promise<unknown>
}

export function createKeySet({ read, clock, maxAgeMs, coolDownMs, maxStaleAgeMs }: Parts): KeySet {
  let known: Known | undefined
  let reading: Promise<Known> | undefined
  let triedAt = -Infinity

  const readAgain = (): Promise<Known> => {
    triedAt = clock.elapsedMs()
    reading ??= read()
      .then((keys) => (known = { find: createLocalJWKSet(keys), readAt: clock.elapsedMs() }))
      .finally(() => (reading = undefined))
    return reading
  }
  const ageOf = ({ readAt }: Known) => clock.elapsedMs() - readAt
  const isCool = () => clock.elapsedMs() - triedAt >= coolDownMs

  /** Callers wait for no issuer that has just not answered. */
  const outOfReach = (): never => {
    throw new ServiceError('service_unavailable', 'The keys of the issuer cannot be had just now.', {
      retryAfter: Math.ceil(coolDownMs / 1000),
    })
  }

  async function keys(): Promise<Known> {
    const kept = known
    if (kept === undefined || ageOf(kept) > maxStaleAgeMs)
      return isCool() || reading !== undefined ? readAgain() : outOfReach()
    if (ageOf(kept) <= maxAgeMs || !isCool()) return kept
    return readAgain().catch(() => kept)
  }

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const kept = await keys()
    try {
      return await kept.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isCool()) throw error
      const fresh = await readAgain().catch(() => kept)
      return fresh.find(header, token)
    }
  }
  return { keyOf, check: keys }
}
