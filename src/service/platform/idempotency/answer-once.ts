import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { ServiceError } from '../errors.ts'
import { answer } from '../http/answers/answer.ts'
import { idempotentRequestOf } from './idempotent-request.ts'
import type { IdempotentRequest } from './idempotent-request.ts'
import { keyReused } from './key-reused.ts'
import type { TextVault } from '../vault/sealed-text.ts'
import { answerPlaceOf } from './request-keys.ts'
import type { RequestStore } from './request-store.ts'

const KeptAnswer = v.object({
  status: v.number(),
  type: v.string(),
  data: v.unknown(),
  etag: v.optional(v.string()),
})

/** A good answer; `data` is its resource as JSON has it, `etag` the header of that name, where it has one. */
type KeptAnswer = v.InferOutput<typeof KeptAnswer>

/**
 * Answers a merchant's request. Under an `Idempotency-Key` it is carried out once, and answered the same for 30 days
 * (contract §2). Throws `idempotency_key_reused` for another request under the key, `request_in_progress` while the first is
 * under way, `outcome_unknown` when it ended without an answer: it is not done twice. What is refused was not done: the same key may come again.
 */
export type AnswerOnce = (
  exchange: { request: FastifyRequest; reply: FastifyReply; merchantId: string },
  perform: () => Promise<KeptAnswer>,
) => Promise<FastifyReply>

interface Parts {
  store: RequestStore
  vault: TextVault
}

export function createAnswerOnce({ store, vault }: Parts): AnswerOnce {
  return async ({ request, reply, merchantId }, perform) => {
    const idempotentRequest = idempotentRequestOf(request, merchantId)
    if (idempotentRequest === null) return send(reply, await perform())
    const { key, keyedHash } = idempotentRequest
    if (await store.begin(key, keyedHash)) return send(reply, await performUnder(key, perform))
    const kept = await keptUnder(idempotentRequest)
    void reply.header('idempotent-replayed', 'true')
    return send(reply, kept)
  }

  async function performUnder(key: string, perform: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    try {
      const fresh = await perform()
      await store.finish(key, await vault.seal(JSON.stringify(fresh), answerPlaceOf(key)))
      return fresh
    } catch (error) {
      if (error instanceof ServiceError && didNothing(error)) await store.giveUp(key)
      throw error
    }
  }

  async function keptUnder({ key, keyedHash, former }: IdempotentRequest): Promise<KeptAnswer> {
    const known = await store.find(key)
    if (known !== null && known.hash !== keyedHash && known.hash !== former.keyedHash)
      throw keyReused('request')
    if (known?.isAbandoned === true) {
      throw new ServiceError(
        'outcome_unknown',
        'The service ended while it carried this request out, and does not know whether it was done. Read what is there now; if it was not done, send it again under a new Idempotency-Key.',
      )
    }
    if (known?.sealed === undefined || known.sealed === null) {
      throw new ServiceError('request_in_progress', 'The same request is under way. Ask again in a moment.', {
        retryAfter: 1,
      })
    }
    return v.parse(KeptAnswer, JSON.parse(await vault.open(known.sealed, answerPlaceOf(key))))
  }
}

/**
 * A refused request did nothing, and neither did one that found the payment network out of reach. After another fault of the
 * service it is not known.
 */
function didNothing({ code }: ServiceError): boolean {
  return ERROR_STATUS[code] < 500 || code === 'network_unavailable'
}

function send(reply: FastifyReply, { status, type, data, etag }: KeptAnswer): FastifyReply {
  if (etag !== undefined) void reply.header('etag', etag)
  return answer(reply, status, type, data)
}
