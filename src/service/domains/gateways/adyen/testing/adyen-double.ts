import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { strikes, strikesBefore, write } from './double-faults.ts'
import type { DoubleFault } from './double-faults.ts'
import { faultsOfAnswer, faultsOfRequest } from './checkout-faults.ts'
import { createDoubleLedger } from './double-ledger.ts'
import type { DoubleAnswer, DoubleLedger } from './double-ledger.ts'

export interface DoubleRequest {
  path: string
  key: string
  body: unknown
}

/**
 * Adyen's Checkout API as far as the adapter uses it: books of its own, keys that it remembers, faults on demand. What it is
 * sent, and what it answers where no fault was asked for, is checked by Adyen's schemas.
 */
export interface AdyenDouble {
  baseUrl: string
  ledger: DoubleLedger
  /** Every request that reached it, oldest first. */
  requests: DoubleRequest[]
  /** The next request meets this fault. */
  breakNext: (fault: DoubleFault) => void
  /** No request meets a fault any more. */
  heal: () => void
  /** Rejects when something was sent or answered that is not as Adyen's schemas say. */
  close: () => Promise<void>
}

interface Behaviour {
  apiKey: string
  /** Whether a refusal for a wrong request takes the key, as an answer does. */
  keepsRefusals?: boolean
}

const FORBIDDEN: DoubleAnswer = {
  status: 401,
  body: {
    status: 401,
    errorCode: '000',
    message: 'HTTP Status Response - Unauthorized',
    errorType: 'security',
  },
}
const OTHERS: DoubleAnswer = {
  status: 200,
  body: {
    resultCode: 'Authorised',
    pspReference: 'OTHERSPAYMENT001',
    merchantReference: 'another-order',
    reference: 'another-order',
    status: 'received',
  },
}

export async function startAdyenDouble({ apiKey, keepsRefusals = true }: Behaviour): Promise<AdyenDouble> {
  const ledger = createDoubleLedger()
  const remembered = new Map<string, DoubleAnswer>()
  const requests: DoubleRequest[] = []
  const faults: DoubleFault[] = []
  const breaches: string[] = []

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${portOf(server.address())}/v72`,
    ledger,
    requests,
    breakNext: (fault) => faults.push(fault),
    heal: () => faults.splice(0),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      if (breaches.length > 0) throw new Error(`not as Adyen's schemas say:\n${breaches.join('\n')}`)
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.replace(/^\/v72/, '') ?? ''
    const key = String(request.headers['idempotency-key'])
    const body: unknown = JSON.parse(await textOf(request))
    requests.push({ path, key, body })
    breaches.push(...faultsOfRequest(path, body).map((fault) => `a request to ${path}: ${fault}`))
    const fault = faults.shift()
    const isKnown = request.headers['x-api-key'] === apiKey
    const ownAnswer = () => (isKnown ? once(path, key, body) : FORBIDDEN)
    const answer = strikesBefore(fault) ? OTHERS : heldToSchema(path, ownAnswer())
    if (remembered.has(key)) response.setHeader('idempotency-key', key)
    if (fault === undefined) write(response, answer)
    else await strikes[fault](response, answer, OTHERS)
  }

  function heldToSchema(path: string, answer: DoubleAnswer): DoubleAnswer {
    breaches.push(...faultsOfAnswer(path, answer).map((fault) => `the answer to ${path}: ${fault}`))
    return answer
  }

  /** The first answer under a key is the answer to all that come under it. */
  function once(path: string, key: string, body: unknown): DoubleAnswer {
    const known = remembered.get(key)
    if (known !== undefined) return known
    const answer = ledger.apply(path, body)
    if (answer.status < 400 || keepsRefusals) remembered.set(key, answer)
    return answer
  }
}

const Port = v.object({ port: v.number() })

function portOf(address: unknown): number {
  return v.parse(Port, address).port
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(v.parse(v.instance(Buffer), chunk))
  return Buffer.concat(chunks).toString()
}
