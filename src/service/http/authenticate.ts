import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'

/** Finds the merchant whose key a request carries; throws `unauthorized` (contract §2). */
export type Authenticate<Merchant> = (request: FastifyRequest, kind: 'public' | 'secret') => Promise<Merchant>

export function createAuthenticate<Merchant>(
  merchantOfKey: (key: string, kind: 'public' | 'secret') => Promise<Merchant | null>,
): Authenticate<Merchant> {
  return async (request, kind) => {
    const header = `x-user-${kind}-key`
    const key = request.headers[header]
    if (typeof key !== 'string' || key === '') {
      throw new ServiceError('unauthorized', `Send your ${kind} key in the header ${header}.`)
    }
    const merchant = await merchantOfKey(key, kind)
    if (merchant === null)
      throw new ServiceError('unauthorized', `The key in ${header} is not a valid ${kind} key.`)
    return merchant
  }
}
