import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Keys } from '../machines/service-process.ts'
import type { Answer, HttpApi } from './http-api.ts'
import { testCard } from '../../src/service/testing/test-card.ts'

/** Clients that never repeat a request: whatever fails at the first try throws. */
export interface StrictBuyer {
  tokenise: () => Promise<string>
  charge: (token: string) => Promise<void>
  /** Makes a token, and spends one that was made a while ago. */
  buyLater: () => Promise<void>
  /** How many requests were sent. */
  requests: () => number
}

/** How many tokens wait to be spent. */
const WAITING = 100

export function createStrictBuyer(api: HttpApi, keys: Keys): StrictBuyer {
  const waiting: string[] = []
  let sent = 0
  const post = async (path: string, headers: Record<string, string>, body: object): Promise<unknown> => {
    sent += 1
    const answer: Answer = await api.send({ method: 'POST', path, headers, body })
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`)
    return v.parse(Envelope, JSON.parse(answer.text)).resource.data
  }
  const tokenise = async () =>
    v.parse(
      v.string(),
      await post('/v1/payment_sources/tokens', { 'x-user-public-key': keys.publicKey }, testCard),
    )
  const charge = async (token: string) => {
    const headers = { 'x-user-secret-key': keys.secretKey, 'idempotency-key': randomUUID() }
    await post('/v1/charges', headers, { amount: '10.00', currency: 'AUD', token })
  }
  return {
    tokenise,
    charge,
    async buyLater() {
      waiting.push(await tokenise())
      const token = waiting.length > WAITING ? waiting.shift() : undefined
      if (token !== undefined) await charge(token)
    },
    requests: () => sent,
  }
}
