import { createHash, createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { holdsCardNumber } from '../../card/number-in-text.ts'
import { ERROR_STATUS } from '../../contract/api/envelope.ts'
import type { Database } from './database/database.ts'
import { bool, bytea, nullable, text } from './database/sql-types.ts'
import type { ValuesOf } from './database/sql-types.ts'
import { statement } from './database/statement.ts'
import { ServiceError } from './errors.ts'
import { answer } from './http/answers/answer.ts'
import { batchColumns, batchOf, countIn } from './jobs/batches.ts'
import type { SealedText, TextVault } from './vault/vault.ts'
import type { KeyTable } from './vault/wrapped-keys.ts'

const KeptAnswer = v.object({
  status: v.number(),
  type: v.string(),
  data: v.unknown(),
  etag: v.optional(v.string()),
})

/** A good answer. `data` is its resource as JSON has it; `etag` is the header, if there is one. */
type KeptAnswer = v.InferOutput<typeof KeptAnswer>

/** A merchant's request, and the reply to it. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  merchantId: string
}

/** `answerIdempotently` with its deps, as routes get it. */
export type AnswerIdempotently = (
  exchange: Exchange,
  perform: () => Promise<KeptAnswer>,
) => Promise<FastifyReply>

interface IdempotencyDeps {
  database: Database
  textVault: TextVault
}

/**
 * Answers a merchant's request. Under an `Idempotency-Key` it is performed once, and answered the same for 30 days (contract §2).
 * Throws `idempotency_key_reused` if the key came with another request, `request_in_progress` while the first is being performed, and
 * `outcome_unknown` if that ended without an answer. A refused request did nothing, so the same key may come again.
 */
export async function answerIdempotently(
  deps: IdempotencyDeps,
  { request, reply, merchantId }: Exchange,
  perform: () => Promise<KeptAnswer>,
): Promise<FastifyReply> {
  const idempotentRequest = idempotentRequestOf(request, merchantId)
  if (idempotentRequest === null) return send(reply, await perform())
  if (await begin(deps.database, idempotentRequest))
    return send(reply, await performAndKeep(deps, idempotentRequest.key, perform))
  const kept = await keptAnswer(deps, idempotentRequest)
  void reply.header('idempotent-replayed', 'true')
  return send(reply, kept)
}

async function performAndKeep(
  { database, textVault }: IdempotencyDeps,
  key: string,
  perform: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  try {
    const fresh = await perform()
    await keepAnswer(database, key, await textVault.seal(JSON.stringify(fresh), answerPlaceOf(key)))
    return fresh
  } catch (error) {
    if (error instanceof ServiceError && didNothing(error)) await database.run(deleteRequest, { key })
    throw error
  }
}

/** A refused request did nothing, nor did one that could not reach the payment network. After other errors nobody knows. */
function didNothing({ code }: ServiceError): boolean {
  return ERROR_STATUS[code] < 500 || code === 'network_unavailable'
}

async function keptAnswer(
  { database, textVault }: IdempotencyDeps,
  { key, keyedHash }: IdempotentRequest,
): Promise<KeptAnswer> {
  const [row] = await database.run(findRequest, { key })
  if (row !== undefined && row.request_hash !== keyedHash) throw idempotencyKeyReused('request')
  if (row?.is_abandoned === true) {
    throw new ServiceError(
      'outcome_unknown',
      'The service ended while it carried this request out, and does not know whether it was done. Read what is there now; if it was not done, send it again under a new Idempotency-Key.',
    )
  }
  const sealed = row === undefined ? null : sealedOf(row)
  if (sealed === null) {
    throw new ServiceError('request_in_progress', 'The same request is under way. Ask again in a moment.', {
      retryAfter: 1,
    })
  }
  return v.parse(KeptAnswer, JSON.parse(await textVault.open(sealed, answerPlaceOf(key))))
}

function send(reply: FastifyReply, { status, type, data, etag }: KeptAnswer): FastifyReply {
  if (etag !== undefined) void reply.header('etag', etag)
  return answer(reply, status, type, data)
}

/** A request that may come again under the same key and is then answered as before (contract §2). */
export interface IdempotentRequest {
  /** A hash of the caller's key, within its merchant and route. A merchant may use a secret as a key, such as the card's token. */
  key: string
  /** Differs for another request under the same key: a hash of what address and body mean, however they are spelt (RFC 8785). */
  hash: string
  /** The same, made with the caller's key. That key is kept nowhere, so nobody can find out the body by trying. */
  keyedHash: string
}

/** The key and hashes of a request; null if it carries no key. No body means the same as `{}`. */
export function idempotentRequestOf(request: FastifyRequest, merchantId: string): IdempotentRequest | null {
  const key = idempotencyKeyOf(request)
  if (key === null) return null
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const content = canonicalize([request.params, request.query, request.body ?? {}])
  if (content === undefined) throw new Error('a request has no canonical form')
  return {
    key: sha256(`${merchantId} ${route} ${key}`, 'hex'),
    hash: sha256(content, 'base64url'),
    keyedHash: createHmac('sha256', key).update(content).digest('base64url'),
  }
}

function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}

/** Throws `idempotency_key_reused` if the hash kept under the request's key is that of another request. */
export function refuseOtherRequest(keptHash: string | null, asked: IdempotentRequest): void {
  if (keptHash !== asked.hash) throw idempotencyKeyReused('request')
}

const REUSED = {
  request:
    'This Idempotency-Key was used for another request. First read what became of that one: under a new key this one is carried out as well.',
  card: 'This Idempotency-Key was used for another card. Make a new key.',
} as const

/** For a key that the merchant used before, with another request or another card. */
export function idempotencyKeyReused(used: keyof typeof REUSED): ServiceError {
  return new ServiceError('idempotency_key_reused', REUSED[used])
}

const ACCEPTABLE_KEY = /^[\x21-\x7e]{1,255}$/
/** Random bytes in hex: one in 100,000 such keys looks like a card number by chance, and none is one. */
const RANDOM_HEX = /^(?=.*[a-f])[\da-f]{16,}$/i

/**
 * Reads `Idempotency-Key`, alias `x-idempotency-id` (contract §2). Refuses a key that holds a card number: it is kept as a hash, from which
 * the number could be recovered by trying all. Refuses two different keys: the request might come again under the other one.
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const { 'idempotency-key': named, 'x-idempotency-id': aliased } = headers
  if (named !== undefined && aliased !== undefined && named !== aliased) {
    throw new ServiceError('validation_error', 'Send one key, as Idempotency-Key or as x-idempotency-id.')
  }
  const key = named ?? aliased
  if (key === undefined) return null
  if (typeof key !== 'string' || !ACCEPTABLE_KEY.test(key)) {
    throw new ServiceError('validation_error', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  if (RANDOM_HEX.test(key) || !holdsCardNumber(key)) return key
  throw new ServiceError(
    'validation_error',
    'The Idempotency-Key looks like a card number. Nothing was kept; send a random key such as a UUID.',
  )
}

const beginRequest = statement({
  name: 'begin_idempotent_request',
  values: { key: text, request_hash: text },
  columns: { key: text },
  sql: `
    INSERT INTO idempotent_requests (key, request_hash) VALUES (:key, :request_hash)
    ON CONFLICT (key) DO NOTHING RETURNING key`,
})

/** True for the first request under its key: that one is performed. */
async function begin(database: Database, { key, keyedHash }: IdempotentRequest): Promise<boolean> {
  return (await database.run(beginRequest, { key, request_hash: keyedHash })).length > 0
}

const requestColumns = {
  request_hash: text,
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  answer: nullable(bytea),
  is_abandoned: bool,
}
/** A request without an answer after a minute is abandoned: nobody knows how far it came. */
const findRequest = statement({
  name: 'find_idempotent_request',
  values: { key: text },
  columns: requestColumns,
  sql: `
    SELECT request_hash, master_key_id, wrapped_data_key, answer,
           answer IS NULL AND begun_at <= now() - interval '1 minute' AS is_abandoned
    FROM idempotent_requests WHERE key = :key`,
})

function sealedOf(row: ValuesOf<typeof requestColumns>): SealedText | null {
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, answer: sealed } = row
  if (masterKeyId === null || wrappedDataKey === null || sealed === null) return null
  return { masterKeyId, wrappedDataKey, text: sealed }
}

const finishRequest = statement({
  name: 'finish_idempotent_request',
  values: { key: text, master_key_id: text, wrapped_data_key: bytea, answer: bytea },
  columns: {},
  sql: `
    UPDATE idempotent_requests
    SET master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key, answer = :answer WHERE key = :key`,
})

async function keepAnswer(database: Database, key: string, sealed: SealedText): Promise<void> {
  const { masterKeyId, wrappedDataKey, text: sealedAnswer } = sealed
  await database.run(finishRequest, {
    key,
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    answer: sealedAnswer,
  })
}

const deleteRequest = statement({
  name: 'give_up_idempotent_request',
  values: { key: text },
  columns: {},
  sql: 'DELETE FROM idempotent_requests WHERE key = :key AND answer IS NULL',
})

const forgetRequests = statement({
  name: 'forget_idempotent_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM idempotent_requests',
    key: 'key',
    order: 'begun_at',
    found: `idempotent_requests WHERE begun_at <= now() - interval '30 days'`,
  }),
})

/** Deletes a batch of requests that are 30 days old (contract §2); returns how many. */
export async function forgetOldRequests(database: Database): Promise<number> {
  return countIn(await database.run(forgetRequests, {}))
}

/** Where an answer is kept; what is sealed is bound to it. */
function answerPlaceOf(key: string): string {
  return `idempotent_requests/${key}`
}

/** The data keys of kept answers. A request whose answer is lost is performed again if it comes again. */
export const idempotencyVaultKeys: KeyTable = {
  of: 'kept answers',
  table: 'idempotent_requests',
  id: 'key',
  idType: 'text',
  merchantId: "''",
  name: 'key',
  placeOf: ({ name }) => answerPlaceOf(name),
  isNeeded: 'true',
  erase: 'master_key_id = NULL, wrapped_data_key = NULL, answer = NULL',
}
