import type { FastifyRequest } from 'fastify'
import type { SharedLimit } from '../../rate-limits/shared-limit.ts'
import type { CallerKey } from './sender.ts'
import { takeShared } from './admission.ts'

/** Counts one more wrong key, secret or token of the request's address; throws `rate_limited` when it is one too many. */
export type CountWrongKey = (request: Pick<FastifyRequest, 'sender'>) => Promise<void>

export const createCountWrongKey =
  (wrongKeys: SharedLimit<CallerKey>): CountWrongKey =>
  ({ sender }) =>
    takeShared(wrongKeys, sender.caller)
