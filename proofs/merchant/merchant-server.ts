import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Keys } from '../machines/service-process.ts'
import type { Answer, Call, HttpApi } from './http-api.ts'
import { testCard } from '../../src/service/testing/test-card.ts'

const Charge = v.object({ _id: v.string(), status: v.string() })
type Charge = v.InferOutput<typeof Charge>

/** The final outcome of a request: done, or refused for good. */
export type End = { kind: 'done'; charge: Charge; answer: Answer } | { kind: 'refused'; code: string }

/** A merchant's server that repeats what got no answer, under the same key, until it has one. */
export interface MerchantServer {
  tokenise: (key: string) => Promise<string>
  sell: (key: string, sale: Sale) => Promise<End>
  capture: (key: string, chargeId: string, amount: string) => Promise<End>
  cancel: (key: string, chargeId: string) => Promise<End>
  refund: (key: string, chargeId: string, amount: string) => Promise<End>
}

interface Sale {
  token: string
  amount: string
  reference: string
  capture: boolean
}

/** Makes this run's idempotency keys differ from those of other runs. */
const RUN = randomBytes(32)

type IsFinal = (status: number, code: string) => boolean

/** Pause after a connection that broke or was refused. */
const PAUSE_MS = 50

/** Errors that concern this request alone; after others, such as 503 without a database, the next request would fail too. */
const IS_UNDECIDED = new Set(['request_in_progress', 'outcome_unknown'])

/**
 * `onLater` is called each time that a request is still undecided and is repeated later. `gatewayId`: the account that its sales are sent to, if
 * it is not the merchant's first.
 */
export function createMerchantServer(
  api: HttpApi,
  keys: Keys,
  onLater: () => void,
  gatewayId?: string,
): MerchantServer {
  const source = gatewayId === undefined ? testCard : { ...testCard, gateway_id: gatewayId }
  const secret = { 'x-user-secret-key': keys.secretKey }
  const post = (path: string, key: string, body: object): Call => ({
    method: 'POST',
    path,
    body,
    headers: { ...secret, 'idempotency-key': key },
  })
  const untilAnswered = async (call: Call, isFinal: IsFinal) => {
    for (;;) {
      const answer = await api.send(call).catch(() => null)
      if (answer === null) {
        await sleep(PAUSE_MS)
        continue
      }
      const { error, resource } = v.parse(Envelope, JSON.parse(answer.text))
      if (answer.status < 300 || isFinal(answer.status, error?.code ?? ''))
        return { answer, code: error?.code ?? null, content: resource.data }
      if (error !== null && IS_UNDECIDED.has(error.code)) onLater()
      await sleep(1000 * Number(answer.headers['retry-after'] ?? '1'))
    }
  }
  const move = async (call: Call, isFinal: IsFinal = isRefusal): Promise<End> => {
    const { answer, code, content } = await untilAnswered(call, isFinal)
    return code === null
      ? { kind: 'done', charge: v.parse(Charge, content), answer }
      : { kind: 'refused', code }
  }
  return {
    async tokenise(key) {
      const headers = { 'x-user-public-key': keys.publicKey, 'idempotency-key': randomKeyFor(key) }
      const call: Call = { method: 'POST', path: '/v1/payment_sources/tokens', headers, body: source }
      const { answer, content } = await untilAnswered(call, isRefusal)
      if (answer.status !== 201) throw new Error(`a good card was refused: ${answer.text}`)
      return v.parse(v.string(), content)
    },
    sell: (key, { capture, ...sale }) =>
      // A sale that never reached the gateway has used up its token: it says so for good, with a failed charge.
      move(
        post(`/v1/charges?capture=${capture}`, key, { ...sale, currency: 'AUD' }),
        (status, code) => isRefusal(status) || code === 'gateway_unavailable',
      ),
    capture: (key, id, amount) => move(post(`/v1/charges/${id}/capture`, key, { amount })),
    cancel: (key, id) =>
      move({
        method: 'DELETE',
        path: `/v1/charges/${id}/capture`,
        headers: { ...secret, 'idempotency-key': key },
      }),
    refund: (key, id, amount) => move(post(`/v1/charges/${id}/refunds`, key, { amount })),
  }
}

/** The idempotency key for a card has to look random; it is the same each time for one name in this run. */
function randomKeyFor(name: string): string {
  return createHmac('sha256', RUN).update(name).digest('base64url')
}

/** 409, 429 and every 5xx ask to repeat the request. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}
